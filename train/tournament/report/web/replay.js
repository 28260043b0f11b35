// A board seen again: all its tables side by side, step by step, in a dialog.
class Replay {
  constructor(dialog, boards) {
    Object.assign(this, { dialog, boards, index: 0, step: 0, last: 0, views: [] });
    this.title = el("h2", { id: "replay-title" });
    this.about = el("p", { class: "quiet" });
    this.deals = el("select", { "aria-label": "Deal", onchange: () => this.pick(Number(this.deals.value)) });
    this.tables = el("div", { class: "tables" });
    const slide = () => this.go(Number(this.range.value));
    this.range = el("input", { type: "range", min: 0, "aria-label": "Step", oninput: slide });
    this.place = el("output");
    this.forward = button("›", "Step", () => this.go(this.step + 1));
    dialog.append(this.head(), el("div", { class: "replay-body" }, this.tables), this.foot());
    dialog.addEventListener("keydown", (event) => this.pressed(event));
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.addEventListener("close", () => boards.reach(this.index, true));
  }

  head() {
    const buttons = [
      button("‹", "Board before", () => this.other(-1)),
      button("›", "Next board", () => this.other(1)),
      button("×", "Close", () => this.dialog.close()),
    ];
    const text = el("div", {}, this.title, this.about);
    return el("div", { class: "replay-head" }, text, el("div", { class: "buttons" }, this.deals, buttons));
  }

  foot() {
    const start = button("«", "To the deal", () => this.go(0));
    const back = button("‹", "Step back", () => this.go(this.step - 1));
    const end = button("»", "To the end", () => this.go(this.last));
    return el("div", { class: "replay-foot" }, start, back, this.forward, end, this.range, this.place);
  }

  open(index) {
    this.index = index;
    const { board, meeting, margin, tables } = this.boards.shown[index];
    this.shown = tables();
    this.title.textContent = `${this.boards.unit === "match" ? "Match" : "Board"} ${board}`;
    this.about.textContent = `${this.boards.meetings[meeting].name}: ${signed(margin)} match points`;
    const most = Math.max(1, ...this.shown.map((table) => table.deals.length + (table.fault ? 1 : 0)));
    this.deals.hidden = most === 1;
    this.deals.replaceChildren(
      ...Array.from({ length: most }, (_, deal) => el("option", { value: deal }, `deal ${deal + 1}`)),
    );
    this.pick(0);
    if (this.dialog.open) return;
    this.dialog.showModal();
    this.forward.focus();
  }

  pick(deal) {
    this.deals.value = deal;
    this.views = this.shown.map((table) => new TableView(table, deal, (step) => this.go(step)));
    const beyond = "The page keeps the cards of the first boards only; the log boards.jsonl has them all.";
    const nodes = this.views.map((view) => view.element);
    this.tables.replaceChildren(...(nodes.length ? nodes : [el("p", { class: "quiet" }, beyond)]));
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
    if (this.boards.shown[this.index + by]) this.open(this.index + by);
  }

  pressed(event) {
    if (event.target.matches("select, input") || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      ArrowRight: () => this.go(this.step + 1),
      ArrowLeft: () => this.go(this.step - 1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      n: () => this.other(1),
      p: () => this.other(-1),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
