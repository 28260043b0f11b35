"""The player of a tier: calls by a judge, cards by a judge or by search, as the knobs say (docs/tiers.md)."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from threading import local
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from agents.rule_based.stakes import WIN
from agents.rule_based.values import values_of
from agents.search.likelihood import TEMPERING, Likelihood, PolicyLikelihood, RulesLikelihood, weighted_worlds
from agents.search.weighing import Room, only_card, weigh_cards
from agents.search.worlds import KNOWLEDGE, sample_worlds
from agents.tiers.choice import blend, choose_by
from agents.tiers.dealing import LIE, deal_anew
from agents.tiers.judges import Judge, Judgement, NetworkJudge, Networks, RulesJudge, ValuesJudge
from agents.tiers.memory import RECALLED, recall
from agents.tiers.tier import Tier
from blot_env.actions import CONTRA
from blot_env.rules import RuleSet
from blot_env.state import AUCTION, PLAY, STATE
from blot_env.views import Decisions, decision_of


@dataclass(frozen=True)
class Thoughts:
    """What a player thought at a decision.

    Attributes:
        action: what it does.
        value: what it expects of that, match points of its side minus the others'; a network's judgement is a
            log-probability (see `judges`). None where there was nothing to judge.
        values: the same by action, of all that it considered.
        hands: the worlds that it searched, sets of cards by seat, shape (n, 4).
        weights: of these, shape (n,), summing to 1.
    """

    action: int
    value: float | None
    values: dict[int, float]
    hands: NDArray[np.int64]
    weights: NDArray[np.float64]


class TierPlayer:
    """Plays by the knobs of a tier."""

    def __init__(self, rules: RuleSet, tier: Tier, networks: Networks | None = None, name: str | None = None) -> None:
        """Prepare to play.

        Args:
            rules: the game.
            tier: the knobs.
            networks: trained for the game; without any the rules judge in their place.
            name: as it stands in results; by default that of the tier.
        """
        self.name = name or f"tier:{tier.name}"
        self.tier, self.networks = tier, networks
        self.searches, self.timed = tier.worlds > 0, tier.ms is not None
        self._rules, self._values = rules, values_of(rules)
        self._tenth = 10 / rules.record.unit
        self._win = WIN * self._tenth
        by_rules = self._sense = RulesJudge(rules)
        by_network = NetworkJudge(rules, networks) if networks else None
        contracts = networks.values if networks else None
        by_values = ValuesJudge(rules, contracts) if contracts and tier.calls == "values" else None
        self._calls: Judge = by_values or (tier.calls == "network" and by_network) or by_rules
        self._cards: Judge = (tier.cards != "rules" and by_network) or by_rules
        self._likelihood: Likelihood | None = None
        if tier.weights != "none":
            by_policy = PolicyLikelihood(networks) if networks and tier.weights == "network" else None
            self._likelihood = by_policy or RulesLikelihood()
        self._own = _Own(rules)

    @property
    def made_of(self) -> dict[str, str]:
        """Its knobs, and the digests of its networks."""
        return {"tier": self.tier.model_dump_json(), **(self.networks.digests if self.networks else {})}

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return one legal action for each decision, shape (n,)."""
        return np.array([self.think(decisions[row : row + 1]).action for row in range(len(decisions))], np.int64)

    def think(
        self, decision: Decisions, ms: float | None = None, stopped: Callable[[], bool] = lambda: False
    ) -> Thoughts:
        """Return what it does at one decision, and why.

        Args:
            decision: of one table.
            ms: time in milliseconds instead of the tier's: no further world is solved once it is over.
            stopped: asked between worlds, as they are weighed and as they are solved, whether it is to answer at once.
        """
        ms = self.tier.ms if ms is None else ms
        stop = inf if ms is None else perf_counter() + ms / 1000
        if decision.views[0].public.phase != PLAY:
            judgement = self._calls.judge(decision)
            judgement = judgement if self.tier.contra else judgement.without_contra()
            return self._decide(decision, self._sensible(decision, judgement))
        if self.tier.worlds:
            return self._search(decision, stopped, stop)
        return self._decide(decision, self._cards.judge(decision))

    def _search(self, decision: Decisions, stopped: Callable[[], bool], stop: float) -> Thoughts:
        rules, room = self._rules.record, self._own
        tier, view = self.tier, decision.views[0]
        forgetful = not recall(rules, view, tier.memory, tier.voids, tier.trumps, room.recalled[0])
        if forgetful:
            decision = decision_of(self._rules, room.recalled["seen"].copy(), int(decision.seeds[0]))
        card = int(only_card(rules, self._values, decision.views[0], room.options, np.empty(32)))
        if card >= 0:
            return self._decide(decision, Judgement(np.array([card]), np.zeros(1)))
        cards, opinions = self._cards.judge(decision)
        n = tier.worlds if tier.opening is None or view.public.trick_number else tier.opening
        if not n:
            return self._decide(decision, self._sensible(decision, Judgement(cards, opinions)))
        worlds, weights = self._deal_anew(n, view, decision) if forgetful else self._imagine(n, decision, stopped)
        outcomes = np.empty((len(worlds), 32))
        solved = 0
        for world in worlds:
            weigh_cards(rules, world, True, self._win, room.table, room.search, room.cards, outcomes[solved])
            solved += 1
            if stopped() or perf_counter() > stop:
                break
        weights = weights[:solved] / weights[:solved].sum()
        values = blend(outcomes[:solved, cards], weights, opinions, self.tier.trust, self.tier.doubt)
        judgement = self._sensible(decision, Judgement(cards, values))
        return self._decide(decision, judgement, worlds["hands"][:solved], weights)

    def _sensible(self, decision: Decisions, judgement: Judgement) -> Judgement:
        """Return the judgement without what no player would do, as far as the tier has sense."""
        phase = decision.views[0].public.phase
        most = self.tier.call_sense if phase == AUCTION else self.tier.sense
        regard = self.tier.regard if phase == PLAY else 0.0
        if most is None and not regard:
            return judgement
        judged, values = self._sense.judge(decision)
        losses = dict(zip(judged.tolist(), values.max() - values, strict=True))
        if phase == AUCTION:
            losses[CONTRA] = 0.0
        given_up = np.array([losses.get(action, inf) for action in judgement.actions.tolist()])
        kept = given_up <= (inf if most is None else most * self._tenth)
        if not kept.any():
            return judgement  # the sensible is not among what it may do
        return Judgement(judgement.actions[kept], judgement.values[kept] - regard * given_up[kept])

    def _imagine(
        self, n: int, decision: Decisions, stopped: Callable[[], bool]
    ) -> tuple[NDArray[np.void], NDArray[np.float64]]:
        """Return n worlds, rows of `STATE`, with their weights; fewer where weighing them is stopped."""
        seed = int(decision.seeds[0])
        if self._likelihood:
            candidates = n * self.tier.candidates
            return weighted_worlds(
                self._rules, decision.views, n, seed, self._likelihood, TEMPERING, candidates, stopped
            )
        return sample_worlds(self._rules, decision.views, n, seed), np.full(n, 1 / n)

    def _deal_anew(self, n: int, view: np.void, decision: Decisions) -> tuple[NDArray[np.void], NDArray[np.float64]]:
        """Return n worlds as a forgetful player takes them to be possible, all weighing alike."""
        room = self._own
        worlds = np.zeros(n, STATE)
        seed = int(decision.seeds[0])
        deal_anew(self._rules.record, view, room.recalled[0], room.knowledge[0], seed, room.lie[0], worlds)
        return worlds, np.full(n, 1 / n)

    def _decide(
        self,
        decision: Decisions,
        judgement: Judgement,
        hands: NDArray[np.int64] | None = None,
        weights: NDArray[np.float64] | None = None,
    ) -> Thoughts:
        """Return what it does, given what actions are worth; and the worlds that say so, if there are any."""
        actions, values = judgement
        temperature, cap = self.tier.temperature * self._tenth, self.tier.cap * self._tenth
        place = choose_by(values, temperature, cap, int(decision.seeds[0]))
        judged = len(actions) > 1
        return Thoughts(
            action=int(actions[place]),
            value=float(values[place]) if judged else None,
            values=dict(zip(actions.tolist(), values.tolist(), strict=True)) if judged else {},
            hands=np.zeros((0, 4), np.int64) if hands is None else hands,
            weights=np.zeros(0) if weights is None else weights,
        )


class _Own(local, Room):
    """What one thread works in."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(rules)
        self.recalled, self.lie, self.knowledge = np.zeros(1, RECALLED), np.zeros(1, LIE), np.zeros(1, KNOWLEDGE)
