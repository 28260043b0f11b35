// Every board in a list that only draws the rows in view, so that its length costs nothing.
const ROW = 36;
const OUTCOMES = {
  all: () => true,
  won: (one) => one.outcome > 0,
  drawn: (one) => one.outcome === 0,
  lost: (one) => one.outcome < 0,
  forfeited: (one) => one.forfeited,
};
const KEYS = {
  board: (one) => one.board,
  margin: (one) => one.margin,
  size: (one) => Math.abs(one.margin),
  meeting: (one) => one.meeting,
};

class Boards {
  // `open` is told the place in `shown` of the board that somebody wants to see.
  constructor(rows, meetings, unit, open) {
    Object.assign(this, { all: rows, meetings, unit, open, shown: rows, key: "board", rising: true, focus: 0 });
    const choose = () => this.choose();
    const option = (name, value = name) => el("option", { value }, name);
    this.meeting = el(
      "select",
      { onchange: choose },
      option("all", ""),
      meetings.map((one, i) => option(one.name, i)),
    );
    this.outcome = el(
      "select",
      { onchange: choose },
      Object.keys(OUTCOMES).map((name) => option(name)),
    );
    this.number = el("input", { type: "number", min: 0, placeholder: "number", oninput: choose });
    this.count = el("span", { class: "count quiet", role: "status" });
    this.body = el("tbody", { onclick: (event) => this.clicked(event), onkeydown: (event) => this.pressed(event) });
    this.heads = [
      this.head("board", unit, "number"),
      this.head("margin", "margin", "margin"),
      this.head("size", "size", "margin size"),
      this.head("meeting", "meeting", "left"),
    ];
    const tables = el("th", { scope: "col", class: "tablewise left" }, el("span", {}, "tables"));
    this.table = el("table", {}, el("thead", {}, el("tr", {}, this.heads, tables)), this.body);
    this.list = el("div", { class: "list", onscroll: () => this.draw() }, this.table);
    const label = (name, control, hidden) => el("label", { hidden }, name, control);
    const controls = [
      label("Meeting", this.meeting, meetings.length < 2),
      label("Outcome", this.outcome),
      label(unit === "match" ? "Match" : "Board", this.number),
    ];
    this.element = el("div", {}, el("div", { class: "controls" }, controls, this.count), this.list);
    new ResizeObserver(() => this.draw()).observe(this.list);
    this.choose();
  }

  head(key, name, kind) {
    const sort = el("button", { type: "button", onclick: () => this.sort(key) }, name);
    return el("th", { scope: "col", class: kind, "data-key": key }, sort);
  }

  choose() {
    const [meeting, number] = [this.meeting.value, this.number.value];
    const fits = OUTCOMES[this.outcome.value];
    this.shown = this.all.filter(
      (one) =>
        fits(one) &&
        (meeting === "" || one.meeting === Number(meeting)) &&
        (number === "" || one.board === Number(number)),
    );
    this.order();
  }

  // What is sorted anew begins with the first board, or with the largest margin.
  sort(key) {
    this.rising = key === this.key ? !this.rising : key === "board" || key === "meeting";
    this.key = key;
    this.order();
  }

  order() {
    const value = KEYS[this.key];
    const sign = this.rising ? 1 : -1;
    this.shown.sort(
      (one, other) => sign * (value(one) - value(other)) || one.meeting - other.meeting || one.board - other.board,
    );
    for (const head of this.heads) {
      const own = head.dataset.key === this.key;
      head.setAttribute("aria-sort", !own ? "none" : this.rising ? "ascending" : "descending");
    }
    this.count.textContent = many(this.shown.length, this.unit, this.unit === "match" ? "matches" : "boards");
    this.table.setAttribute("aria-rowcount", this.shown.length + 1);
    this.list.scrollTop = this.focus = 0;
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.list.scrollTop / ROW) - 8);
    const last = Math.min(this.shown.length, first + Math.ceil(this.list.clientHeight / ROW) + 17);
    const held = this.body.contains(document.activeElement);
    const reachable = Math.min(last - 1, Math.max(first, this.focus));
    const space = (rows) =>
      el("tr", { class: "space", "aria-hidden": "true" }, el("td", { style: `height: ${rows * ROW}px` }));
    const rows = this.shown.slice(first, last).map((one, i) => this.row(one, first + i, first + i === reachable));
    this.body.replaceChildren(space(first), ...rows, space(this.shown.length - last));
    if (held) this.body.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
  }

  row(one, index, reachable) {
    const name = `Replay ${this.unit} ${one.board}`;
    const replay = el(
      "button",
      { type: "button", tabindex: reachable ? 0 : -1, "aria-label": name },
      String(one.board),
    );
    return el(
      "tr",
      { class: "board", "data-index": index, "aria-rowindex": index + 2 },
      el("td", { class: "number" }, replay),
      el("td", { class: "margin" }, signed(one.margin)),
      el("td", { class: "margin size" }, plain(Math.abs(one.margin))),
      el("td", { class: "left", title: this.meetings[one.meeting].name }, this.meetings[one.meeting].name),
      el("td", { class: "tablewise left" }, tablesTold(one.tables())),
    );
  }

  clicked(event) {
    const row = event.target.closest("tr.board");
    if (!row) return;
    this.reach(Number(row.dataset.index));
    this.open(this.focus);
  }

  pressed(event) {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12, Home: -Infinity, End: Infinity }[event.key];
    if (!by) return;
    event.preventDefault();
    this.reach(Math.min(this.shown.length - 1, Math.max(0, this.focus + by)), true);
  }

  // Bring a row into view, and the keyboard to it.
  reach(index, focus = false) {
    this.focus = index;
    const top = index * ROW;
    const room = this.list.clientHeight - 2 * ROW;
    if (top < this.list.scrollTop) this.list.scrollTop = top;
    if (top > this.list.scrollTop + room) this.list.scrollTop = top - room;
    this.draw();
    if (focus) this.body.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
  }
}

// What came of each table in a few signs: contract, contra as ×, match points by side.
function tablesTold(tables) {
  return tables
    .map(({ source, deals, fault }) => {
      if (fault) return "forfeited";
      const points = source.final(deals.at(-1)).join(":");
      if (deals.length > 1) return points;
      const contract = source.contract(deals[0]);
      return contract ? `${written(contract.text)}${"×".repeat(contract.contra)} ${points}` : "passed";
    })
    .join("  ·  ");
}
