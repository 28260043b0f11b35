// Every board in a list that only draws the rows in view, so that its length costs nothing.
const ROW = 36;

class Boards {
  constructor(rows, meetings, unit, open) {
    Object.assign(this, { all: rows, meetings, unit, open, shown: rows, key: "order", rising: true, focus: 0 });
    this.meeting = el("select", { onchange: () => this.choose() }, el("option", { value: "" }, "all meetings"),
      meetings.map((one, index) => el("option", { value: index }, one.name)));
    this.outcome = el("select", { onchange: () => this.choose() }, [["", "all"], ["won", "won"], ["drawn", "drawn"], ["lost", "lost"], ["forfeited", "forfeited"]]
      .map(([value, name]) => el("option", { value }, name)));
    this.number = el("input", { type: "number", min: 0, inputmode: "numeric", placeholder: "number", oninput: () => this.choose() });
    this.count = el("span", { class: "count quiet", role: "status" });
    this.body = el("tbody", { onclick: (event) => this.clicked(event), onkeydown: (event) => this.pressed(event) });
    this.heads = [["order", unit, "number"], ["margin", "margin", "margin"], ["swing", "size", "margin size"], ["meeting", "meeting", "left"], ["tables", "tables", "tablewise left"]]
      .map(([key, name, kind]) => el("th", { scope: "col", class: kind, "data-key": key },
        key === "tables" ? el("span", {}, name) : el("button", { type: "button", onclick: () => this.sort(key) }, name)));
    this.table = el("table", {}, el("thead", {}, el("tr", {}, this.heads)), this.body);
    this.list = el("div", { class: "list", onscroll: () => this.draw() }, this.table);
    const label = (name, control, hidden) => el("label", { hidden }, name, control);
    this.element = el("div", {}, el("div", { class: "controls" }, label("Meeting", this.meeting, meetings.length < 2), label("Outcome", this.outcome),
      label(unit === "match" ? "Match" : "Board", this.number), this.count), this.list);
    this.choose();
  }

  choose() {
    const meeting = this.meeting.value, outcome = this.outcome.value, number = this.number.value;
    this.shown = this.all.filter((one) => (meeting === "" || one.meeting === Number(meeting)) && (outcome === "" || outcomeOf(one, outcome))
      && (number === "" || one.board === Number(number)));
    this.order();
  }

  sort(key) {
    [this.rising, this.key] = [key === this.key ? !this.rising : key === "order" || key === "meeting", key];
    this.order();
  }

  order() {
    const value = { order: (one) => one.board, margin: (one) => one.margin, swing: (one) => Math.abs(one.margin), meeting: (one) => one.meeting }[this.key];
    const sign = this.rising ? 1 : -1;
    this.shown.sort((one, other) => sign * (value(one) - value(other)) || one.meeting - other.meeting || one.board - other.board);
    for (const head of this.heads)
      head.setAttribute("aria-sort", head.dataset.key === this.key ? (this.rising ? "ascending" : "descending") : "none");
    this.count.textContent = many(this.shown.length, this.unit, this.unit === "match" ? "matches" : "boards");
    this.table.setAttribute("aria-rowcount", this.shown.length + 1);
    this.list.scrollTop = this.focus = 0;
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.list.scrollTop / ROW) - 8);
    const last = Math.min(this.shown.length, first + Math.ceil((this.list.clientHeight || 600) / ROW) + 17);
    const space = (rows) => el("tr", { class: "space", "aria-hidden": "true" }, el("td", { colspan: 5, style: `height: ${rows * ROW}px` }));
    const held = this.body.contains(document.activeElement);
    this.body.replaceChildren(space(first), ...this.shown.slice(first, last).map((one, index) => this.row(one, first + index)), space(this.shown.length - last));
    if (held) this.body.querySelector(`[data-index="${this.focus}"] button`)?.focus({ preventScroll: true });
  }

  row(one, index) {
    const button = el("button", { type: "button", tabindex: index === this.focus ? 0 : -1, "aria-label": `Replay ${this.unit} ${one.board}` }, String(one.board));
    return el("tr", { class: "board", "data-index": index, "aria-rowindex": index + 2 }, el("td", { class: "number" }, button),
      el("td", { class: "margin" }, signed(one.margin)), el("td", { class: "margin size" }, plain(Math.abs(one.margin))),
      el("td", { class: "left" }, this.meetings[one.meeting].name), el("td", { class: "tablewise left" }, one.told()));
  }

  clicked(event) {
    const row = event.target.closest("tr.board");
    if (row) this.show(Number(row.dataset.index));
  }

  pressed(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12, Home: -Infinity, End: Infinity }[event.key];
    if (!steps) return;
    event.preventDefault();
    this.reach(Math.min(this.shown.length - 1, Math.max(0, this.focus + steps)));
    this.body.querySelector(`[data-index="${this.focus}"] button`)?.focus({ preventScroll: true });
  }

  reach(index) {
    this.focus = index;
    const top = index * ROW, room = this.list.clientHeight - 2 * ROW;
    if (top < this.list.scrollTop) this.list.scrollTop = top;
    if (top > this.list.scrollTop + room) this.list.scrollTop = top - room;
    this.draw();
  }

  show(index) {
    this.reach(index);
    this.open(index);
  }
}

function outcomeOf(one, outcome) {
  if (outcome === "forfeited") return one.faults.length > 0;
  return outcome === (one.margin > 0 ? "won" : one.margin < 0 ? "lost" : "drawn");
}
