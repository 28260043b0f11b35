"""Rules as tables: the games there are, one of them field by field, and where two differ.

blot rules
blot rules duel
blot rules --diff bazar-classic blotstar
"""

from blot_env import RULESETS, RuleSet, load_rules
from blot_env.rules import SECTIONS
from blot_env.rules_text import allowed, differences, title, value_text
from train.drawing import Screen

_USUAL = "bazar"  # what all presets are compared with


def show_games(screen: Screen) -> None:
    """List the presets."""
    rows = []
    for name in RULESETS:
        rules = load_rules(name)
        pack = f"{4 * len(rules.ranks)} cards"
        targets = " ".join(map(str, rules.targets))
        rows.append([name, str(rules.players), pack, rules.auction, targets, title(name)])
    screen.table("Games", ["preset", "players", "pack", "auction", "targets", "what it is"], rows)
    screen.say("", "blot rules PRESET shows one of them in full; a TOML file of your own is a preset too.")


def show_rules(rules: RuleSet, about: str, screen: Screen) -> None:
    """Show a rule set, section by section, with the meaning of each field and where it differs from `bazar`."""
    usual = load_rules(_USUAL)
    other = set(differences(rules, usual))
    screen.say(f"{rules.name}: {about}" if about else rules.name, style="bold")
    for section, fields in SECTIONS.items():
        rows = [
            [
                field,
                value_text(getattr(rules, field)),
                value_text(getattr(usual, field)) if field in other else "",
                _meaning(field),
            ]
            for field in fields
        ]
        screen.table(section, ["field", "value", f"in {_USUAL}", "meaning"], rows)


def show_differences(first: RuleSet, second: RuleSet, names: tuple[str, str], screen: Screen) -> None:
    """Show the fields in which two rule sets differ."""
    rows = [
        [field, value_text(getattr(first, field)), value_text(getattr(second, field)), _meaning(field)]
        for field in differences(first, second)
    ]
    if rows:
        screen.table(f"Where {names[0]} and {names[1]} differ", ["field", *names, "meaning"], rows)
    else:
        screen.say(f"{names[0]} and {names[1]} are the same game")


def _meaning(field: str) -> str:
    values = allowed(field)
    return f"{RuleSet.model_fields[field].description}{f' ({values})' if values else ''}"
