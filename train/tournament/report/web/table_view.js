// One table of a board: hands, auction, tricks and result of a deal, as they stand after a step.
const CONTRA = ["", ", contra", ", recontra"];
const RESULTS = [
  ["tricks", "tricks"],
  ["card_points", "cards"],
  ["combinations", "combinations"],
  ["blot", "blot"],
  ["raw", "in all"],
];

const cardView = (text, kind = "") => el("span", { class: `card ${isRed(text) ? "red" : ""} ${kind}` }, written(text));

class TableView {
  // `go` is told the step that somebody wants to see.
  constructor(table, deal, go) {
    Object.assign(this, { table, go, source: table.source, row: table.deals[deal], length: 0 });
    const name = `Table ${table.number}`;
    this.element = el("article", { class: "deal", "aria-label": name }, el("h3", {}, name));
    if (this.row === undefined) {
      this.element.append(this.missing(deal));
      return;
    }
    this.replay = this.source.replay(this.row);
    this.length = this.replay.steps.length;
    this.order = table.players.map((_, seat) => this.everHeld(seat));
    this.seats = table.players.map(() => el("div", { class: "seat" }));
    this.state = el("p", { class: "state" });
    this.element.append(
      el("div", {}, this.seats),
      this.state,
      this.auction(),
      ...this.tricks(),
      this.result(),
      ...this.shown(),
    );
  }

  missing(deal) {
    const { fault, deals } = this.table;
    if (!fault || deal > deals.length) return el("p", { class: "quiet" }, "The match was over before.");
    return el("p", { class: "fault" }, `Forfeited by ${fault.name}, seat ${fault.seat}: ${fault.reason}`);
  }

  // All cards that a seat ever holds, by suit and rank: what has left stays in its place, pale.
  everHeld(seat) {
    const cards = new Set(this.replay.hands.flatMap((hands) => hands[seat]));
    return [...cards].sort((one, other) => (one >> 3) - (other >> 3) || other - one);
  }

  show(step) {
    if (!this.replay) return;
    const at = Math.min(step, this.length);
    const past = this.replay.steps.slice(0, at);
    const trick = past.at(-1)?.card != null ? past.filter((one) => one.trick === past.at(-1).trick) : [];
    this.seats.forEach((element, seat) => this.showSeat(element, seat, at, trick));
    this.state.replaceChildren(...this.told(at));
    for (const element of this.element.querySelectorAll("[data-step]")) {
      const own = Number(element.dataset.step);
      element.classList.toggle("later", own >= at);
      if (own === at - 1) element.setAttribute("aria-current", "step");
      else element.removeAttribute("aria-current");
    }
  }

  showSeat(element, seat, at, trick) {
    const { steps, hands, winners, down } = this.replay;
    const known = new Set(hands.slice(0, at + 1).flatMap((one) => one[seat]));
    const hidden = down(at);
    const kind = (card) => (!hands[at][seat].includes(card) ? "gone" : hidden.has(card) ? "down" : "");
    const cards = this.order[seat].filter((card) => known.has(card));
    const played = trick.find((one) => one.seat === seat && one.card !== null);
    const wins =
      trick.filter((one) => one.card !== null).length === hands[0].length && winners[trick[0].trick] === seat;
    const said = !trick.length && steps.slice(0, at).findLast((one) => one.seat === seat);
    element.classList.toggle("turn", steps[at]?.seat === seat);
    element.replaceChildren(
      el(
        "div",
        { class: "who" },
        el("span", { class: "quiet" }, `seat ${seat}`),
        el("b", {}, this.table.players[seat]),
        said && el("span", { class: "said" }, stepText(said)),
      ),
      el(
        "div",
        { class: "hand" },
        el(
          "div",
          { class: "cards" },
          cards.map((card) => cardView(this.source.game.actions[card], kind(card))),
        ),
        el("div", { class: wins ? "played wins" : "played" }, played && cardView(played.text)),
      ),
    );
  }

  // A line on where the deal stands: the score and who dealt, then the contract, and at the end what came of it.
  told(at) {
    const { game, columns } = this.source;
    const scores = columns.scores[this.row];
    const score = scores.some(Boolean) ? `Score ${scores.join(" : ")}. ` : "";
    if (at < this.length && this.replay.steps[at].phase === "auction") {
      const turned = game.turned && cardView(game.actions[this.replay.stock[0]]);
      return [`${score}Dealt by seat ${columns.dealer[this.row]}.`, ...(turned ? [" Turned: ", turned] : [])];
    }
    const contract = this.source.contract(this.row);
    if (!contract) return [`${score}Nobody bid.`];
    const outcome = at < this.length ? "" : ({ 1: ", made", 0: ", failed" }[contract.made] ?? ", a belot");
    const name = el("strong", { class: isRed(contract.text) ? "suit-red" : "" }, written(contract.text));
    const bidder = ` by seat ${contract.bidder}, ${this.table.players[contract.bidder]}`;
    return [score, name, `${bidder}${CONTRA[contract.contra]}${outcome}.`];
  }

  step(index, kind = "") {
    const one = this.replay.steps[index];
    const attributes = { type: "button", "data-step": index, class: `${isRed(one.text) ? "suit-red" : ""} ${kind}` };
    return el("button", { ...attributes, onclick: () => this.go(index + 1) }, stepText(one));
  }

  grid(caption, rows, last) {
    const heads = this.table.players.map((_, seat) => el("th", { scope: "col" }, `seat ${seat}`));
    const head = el("thead", {}, el("tr", {}, heads, last && el("th", { scope: "col" }, last)));
    return el("table", {}, el("caption", {}, caption), head, el("tbody", {}, rows));
  }

  // A column a seat; a new row begins where a seat's turn comes round.
  auction() {
    const rows = [];
    this.replay.steps.forEach((one, index) => {
      if (one.card !== null) return;
      const round = rows.at(-1);
      if (!round || round.slice(one.seat).some((other) => other !== null))
        rows.push(this.table.players.map(() => null));
      rows.at(-1)[one.seat] = index;
    });
    const cell = (index) => el("td", {}, index !== null && this.step(index));
    return this.grid(
      "Auction",
      rows.map((round) => el("tr", {}, round.map(cell))),
    );
  }

  tricks() {
    if (!this.replay.winners.length) return [];
    const steps = this.replay.steps;
    const rows = this.replay.winners.map((winner, trick) => {
      const indices = steps.flatMap((one, index) => (one.card !== null && one.trick === trick ? [index] : []));
      const cells = this.table.players.map((_, seat) => {
        const index = indices.find((one) => steps[one].seat === seat);
        const lead = index === indices[0] && el("span", { class: "quiet" }, "›");
        return el("td", {}, lead, this.step(index, winner === seat ? "wins" : ""));
      });
      return el("tr", {}, cells, el("td", {}, this.replay.worth[trick]));
    });
    return [this.grid("Tricks: › leads, the card that takes is bold", rows, "points")];
  }

  result() {
    const { columns, game } = this.source;
    const sides = [...new Set(game.side)];
    const names = sides.map((side) => {
      const players = this.table.players.filter((_, seat) => game.side[seat] === side);
      return el("th", { scope: "col" }, [...new Set(players)].join(" + "));
    });
    const line = (key, name) => {
      const cells = sides.map((side) => el("td", {}, columns[key][this.row][side]));
      return el("tr", {}, el("th", { scope: "row" }, name), cells);
    };
    const lines = RESULTS.filter(([key]) => columns[key][this.row].some(Boolean)).map(([key, name]) => line(key, name));
    const total = line("points", "match points");
    total.className = "total";
    const head = el("thead", {}, el("tr", {}, el("th", {}, ""), names));
    return el("table", { class: "result" }, el("caption", {}, "Result"), head, el("tbody", {}, lines, total));
  }

  // The cards of combinations that were shown and scored.
  shown() {
    const found = this.source.columns.shown[this.row];
    if (!found) return [];
    const text = ([seat, letters]) => `seat ${seat} ${this.source.written(letters).map(written).join(" ")}`;
    return [el("p", { class: "quiet" }, `Combinations that score: ${found.map(text).join("; ")}.`)];
  }
}

function stepText({ phase, text }) {
  return phase === "discard" ? `discards ${written(text)}` : written(text);
}
