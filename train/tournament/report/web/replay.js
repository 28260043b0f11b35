// A board seen again: all its tables side by side, step by step, in a dialog.
const CONTRA = ["", ", contra", ", recontra"];

class Replay {
  constructor(dialog, boards) {
    Object.assign(this, { dialog, boards, index: 0, deal: 0, step: 0 });
    this.title = el("h2", { id: "replay-title" });
    this.about = el("p", { class: "quiet" });
    this.deals = el("select", { "aria-label": "Deal of the match", onchange: () => this.pick(Number(this.deals.value)) });
    this.tables = el("div", { class: "tables" });
    this.range = el("input", { type: "range", min: 0, "aria-label": "Step", oninput: () => this.go(Number(this.range.value)) });
    this.place = el("output", {});
    const button = (text, name, act) => el("button", { type: "button", title: name, "aria-label": name, onclick: act }, text);
    this.forward = button("›", "Step", () => this.go(this.step + 1));
    dialog.append(
      el("div", { class: "replay-head" }, el("div", {}, this.title, this.about), el("div", { class: "controls", style: "margin: 0; flex-wrap: nowrap" }, this.deals,
        button("‹", "Board before", () => this.other(-1)), button("›", "Next board", () => this.other(1)), button("×", "Close", () => dialog.close()))),
      el("div", { class: "replay-body" }, this.tables),
      el("div", { class: "replay-foot" }, button("«", "To the deal", () => this.go(0)), button("‹", "Step back", () => this.go(this.step - 1)),
        this.forward, button("»", "To the end", () => this.go(this.last)), this.range, this.place));
    dialog.addEventListener("keydown", (event) => this.pressed(event));
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.addEventListener("close", () => this.boards.reach(this.index) ?? this.boards.body.querySelector(`[data-index="${this.index}"] button`)?.focus());
  }

  open(index) {
    this.index = index;
    this.board = this.boards.shown[index];
    const { board, meeting, margin } = this.board, unit = this.boards.unit;
    this.title.textContent = `${unit === "match" ? "Match" : "Board"} ${board}`;
    this.about.textContent = `${this.boards.meetings[meeting].name}: ${signed(margin)} match points`;
    const deals = this.board.tables.map((table) => table.deals.length);
    this.deals.replaceChildren(...Array.from({ length: Math.max(1, ...deals) }, (_, deal) => el("option", { value: deal }, `deal ${deal + 1}`)));
    this.deals.hidden = unit !== "match";
    this.pick(0);
    if (this.dialog.open) return;
    this.dialog.showModal();
    this.forward.focus();
  }

  pick(deal) {
    this.deal = deal;
    this.deals.value = deal;
    this.views = this.board.tables.map((table, index) => new TableView(table, index, deal, this.board, (step) => this.go(step)));
    this.tables.replaceChildren(...this.views.map((view) => view.element));
    this.last = Math.max(0, ...this.views.map((view) => view.length));
    this.range.max = this.last;
    this.go(0);
  }

  go(step) {
    this.step = Math.min(this.last, Math.max(0, step));
    this.range.value = this.step;
    this.place.textContent = `${this.step} of ${this.last}`;
    for (const view of this.views) view.show(this.step);
  }

  other(by) {
    const index = this.index + by;
    if (index >= 0 && index < this.boards.shown.length) this.open(index);
  }

  pressed(event) {
    if (event.target.matches("select, input") || event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = { ArrowRight: () => this.go(this.step + 1), ArrowLeft: () => this.go(this.step - 1), Home: () => this.go(0), End: () => this.go(this.last),
      n: () => this.other(1), p: () => this.other(-1) };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }
}

const cardView = (text, kind = "") => el("span", { class: `card ${isRed(text) ? "red" : ""} ${kind}` }, written(text));

class TableView {
  constructor(table, number, deal, board, go) {
    Object.assign(this, { table, go, deals: table.source, row: table.deals[deal] });
    const fault = table.faults.find((one) => this.row === undefined || one.deal === deal);
    this.element = el("article", { class: "deal", "aria-label": `Table ${number}` }, el("h3", {}, `Table ${number}`));
    if (this.row === undefined) {
      this.length = 0;
      this.element.append(el("p", { class: fault ? "fault" : "quiet" }, fault ? `Forfeited by ${fault.name}: ${fault.reason}` : "The match was over before."));
      return;
    }
    this.replay = this.deals.replay(this.row);
    this.length = this.replay.steps.length;
    this.order = this.sorted();
    this.seats = table.players.map(() => el("div", { class: "seat" }));
    this.bargain = el("p", { class: "bargain" });
    this.element.append(el("div", {}, this.seats), this.bargain, this.auction(), this.tricks(), this.result());
    if (fault) this.element.append(el("p", { class: "fault" }, `Forfeited by ${fault.name}: ${fault.reason}`));
  }

  // All cards that a seat ever holds, by suit and rank: what has left stays in its place, pale.
  sorted() {
    return this.table.players.map((_, seat) => [...new Set(this.replay.hands.flatMap((hands) => hands[seat]))].sort((one, other) => (one >> 3) - (other >> 3) || other - one));
  }

  show(step) {
    if (!this.replay) return;
    const { steps, hands } = this.replay, at = Math.min(step, this.length), past = steps.slice(0, at);
    const held = hands[at], down = this.replay.down(at), next = steps[at];
    const begun = past.some((one) => one.card !== null), trick = past.findLast((one) => one.card !== null)?.trick;
    const known = this.known(at);
    this.seats.forEach((element, seat) => {
      const own = past.findLast((one) => one.card !== null && one.trick === trick && one.seat === seat);
      const full = past.filter((one) => one.card !== null && one.trick === trick).length === this.replay.players;
      const wins = full && this.replay.winners[trick] === seat;
      const said = !begun && past.findLast((one) => one.seat === seat && one.phase !== "play")?.text;
      const cards = this.order[seat].filter((card) => known[seat].has(card)).map((card) =>
        cardView(this.deals.game.actions[card], !held[seat].includes(card) ? "gone" : down.has(card) ? "down" : ""));
      element.classList.toggle("turn", next?.seat === seat);
      element.replaceChildren(
        el("div", { class: "who" }, el("span", { class: "quiet" }, `seat ${seat}`), el("b", {}, this.table.players[seat]), said && el("span", { class: "said" }, written(said))),
        el("div", { class: "hand" }, el("div", { class: "cards" }, cards), el("div", { class: wins ? "played wins" : "played" }, own && cardView(own.text))));
    });
    this.bargain.replaceChildren(...this.told(at));
    for (const button of this.element.querySelectorAll("[data-step]")) {
      const own = Number(button.dataset.step);
      button.classList.toggle("later", own >= at);
      if (own === at - 1) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
  }

  // The cards by seat that have been in its hand so far.
  known(at) {
    return this.table.players.map((_, seat) => new Set(this.replay.hands.slice(0, at + 1).flatMap((hands) => hands[seat])));
  }

  told(at) {
    const contract = this.deals.contract(this.row), calling = this.replay.steps[at]?.phase === "auction";
    const scores = this.deals.columns.scores[this.row];
    const before = scores.some(Boolean) ? `Score ${scores.join(" : ")}. ` : "";
    const turned = this.deals.game.turned ? [" Turned: ", cardView(this.deals.game.actions[this.replay.stock[0]])] : [];
    if (calling) return [`${before}Dealt by seat ${this.deals.columns.dealer[this.row]}.`, ...turned];
    if (!contract) return [`${before}Nobody bid.`];
    const end = at < this.length ? "" : contract.made === 1 ? ", made" : contract.made === 0 ? ", failed" : "";
    return [before, el("strong", { class: isRed(contract.text) ? "suit-red" : "" }, written(contract.text)),
      ` by seat ${contract.bidder}, ${this.table.players[contract.bidder]}${CONTRA[contract.contra]}${end}`];
  }

  button(step, kind = "") {
    const { text, phase } = this.replay.steps[step];
    const shown = phase === "discard" ? `discards ${written(text)}` : written(text);
    return el("button", { type: "button", "data-step": step, class: `${isRed(text) ? "suit-red" : ""} ${kind}`, onclick: () => this.go(step + 1) }, shown);
  }

  seatHeads(last) {
    return el("thead", {}, el("tr", {}, this.table.players.map((_, seat) => el("th", { scope: "col", style: "text-align: center" }, `seat ${seat}`)), last && el("th", { scope: "col" }, last)));
  }

  // Rows of a column a seat; a new one begins where a seat's turn comes round.
  auction() {
    const rows = [];
    this.replay.steps.forEach((one, step) => {
      if (one.card !== null) return;
      if (!rows.length || rows.at(-1).slice(one.seat).some((other) => other !== null)) rows.push(this.table.players.map(() => null));
      rows.at(-1)[one.seat] = step;
    });
    return el("table", {}, el("caption", {}, "Auction"), this.seatHeads(), el("tbody", {}, rows.map((steps) => el("tr", {}, steps.map((step) => el("td", {}, step !== null && this.button(step)))))));
  }

  tricks() {
    const rows = this.replay.winners.map((winner, trick) => {
      const cells = this.table.players.map((_, seat) => this.replay.steps.findIndex((one) => one.card !== null && one.trick === trick && one.seat === seat));
      const leads = Math.min(...cells.filter((step) => step >= 0));
      return el("tr", {}, cells.map((step, seat) => el("td", {}, step === leads && el("span", { class: "quiet", title: "leads" }, "›"), step >= 0 && this.button(step, winner === seat ? "wins" : ""))), el("td", {}, this.replay.worth[trick]));
    });
    return rows.length ? el("table", {}, el("caption", {}, "Tricks: › leads, the winning card is bold"), this.seatHeads("points"), el("tbody", {}, rows)) : null;
  }

  result() {
    const columns = this.deals.columns, row = this.row, game = this.deals.game;
    const sides = [...new Set(game.side)];
    const named = (side) => { const seats = game.side.flatMap((own, seat) => (own === side ? [seat] : [])); return `seat${seats.length > 1 ? "s" : ""} ${seats.join(" and ")}`; };
    const lines = [["tricks", "tricks"], ["card_points", "cards"], ["combinations", "combinations"], ["blot", "blot"], ["raw", "in all"]]
      .filter(([key]) => columns[key][row].some(Boolean)).map(([key, name]) => el("tr", {}, el("th", { scope: "row" }, name), sides.map((side) => el("td", {}, columns[key][row][side]))));
    const points = el("tr", {}, el("th", { scope: "row" }, el("strong", {}, "match points")), sides.map((side) => el("td", {}, el("strong", {}, columns.points[row][side]))));
    return el("table", {}, el("caption", {}, "Result"), el("thead", {}, el("tr", {}, el("th"), sides.map((side) => el("th", { scope: "col", style: "text-align: center" }, named(side))))), el("tbody", {}, lines, points));
  }
}
