// Puts the page together.
const THEMES = { auto: "Light or dark: as the system", light: "Light", dark: "Dark" };

function themeButton(button) {
  const names = Object.keys(THEMES);
  const show = (theme) => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = { auto: "◐ Auto", light: "○ Light", dark: "● Dark" }[theme];
    button.title = THEMES[theme];
  };
  let theme = "auto";
  try { theme = localStorage.getItem("blot-theme") ?? theme; } catch { /* a file may have no storage */ }
  if (!names.includes(theme)) theme = "auto";
  show(theme);
  button.addEventListener("click", () => {
    theme = names[(names.indexOf(theme) + 1) % names.length];
    show(theme);
    try { localStorage.setItem("blot-theme", theme); } catch { /* then it lasts as long as the page */ }
  });
}

function heading(data) {
  const rules = data.fields ? `${data.rules} with ${Object.entries(data.fields).map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(", ")}` : data.rules;
  find("kind").textContent = `${data.play === "matches" ? "Matches" : "Boards"}, ${data.format.replace("-", " ")}`;
  find("title").textContent = rules;
  const most = Math.max(...data.meetings.map((one) => one.boards));
  const unit = data.play === "matches" ? ["match", "matches"] : ["board", "boards"];
  find("settings").textContent = [many(data.entrants.length, "entrant"), `${data.duplicate ? "duplicate, " : ""}at most ${many(most, ...unit)} a meeting`, `to ${data.target}`,
    data.bank ? `bank ${data.bank}` : `seed ${data.seed}`].join(" · ");
  find("footer").textContent = `blot ${data.blot}. Intervals are 95 %, by bootstrap over ${unit[1]}; n counts ${unit[1]} unless it says otherwise. The same figures lie in results.json and the CSV files beside this page.`;
}

// Boards of all meetings as rows of the list.
function boardRows(packed) {
  const rows = [], meetings = [];
  packed.meetings.forEach((meeting, index) => {
    const source = new Deals(packed.game, meeting.deals);
    meetings.push({ name: versus(meeting) });
    meeting.board.forEach((board, place) => {
      const faults = meeting.faults.filter((one) => one.board === board);
      const one = { board, meeting: index, margin: meeting.margin[place], faults };
      Object.defineProperty(one, "tables", { get: () => tablesOf(meeting, source, one) });
      one.told = () => tablesTold(one);
      rows.push(one);
    });
  });
  return [rows, meetings];
}

function tablesOf(meeting, source, { board, faults }) {
  const deals = source.byBoard.get(board) ?? [];
  return meeting.players[board % meeting.players.length].map((players, table) => ({
    source, players, seating: meeting.seating[table], deals: deals.filter((deal) => source.columns.table[deal] === table), faults: faults.filter((one) => one.table === table),
  })).filter((table) => table.deals.length || table.faults.length);
}

function tablesTold(one) {
  return one.tables.map(({ source, deals, faults }) => {
    if (faults.length) return "forfeited";
    const last = deals.at(-1), contract = deals.length === 1 && source.contract(last);
    const name = contract ? `${written(contract.text)}${["", "×", "××"][contract.contra]} ` : deals.length === 1 ? "passed " : "";
    return `${name}${source.final(last).join(":")}`;
  }).join("  ·  ");
}

async function boardList(data) {
  const packed = await unpack(find("deals").textContent);
  const [rows, meetings] = boardRows(packed);
  const unit = data.play === "matches" ? "match" : "board";
  const boards = new Boards(rows, meetings, unit, (index) => replay.open(index));
  const replay = new Replay(find("replay"), boards);
  return section("boards", unit === "match" ? "Matches" : "Boards", "Each can be seen again, card by card, at all its tables. Margins are those of the meeting’s first.", boards.element);
}

async function main() {
  const data = JSON.parse(find("summary").textContent);
  themeButton(find("theme"));
  heading(data);
  const made = [verdict, standings, meetings, margins, contracts, regret, parts, timing, faults].map((make) => make(data)).filter(Boolean);
  find("main").append(...made);
  const list = await boardList(data);
  find("main").append(list);
  const named = [...made, list].filter((one) => one.id);
  find("contents").append(...named.map((one) => el("a", { href: `#${one.id}` }, one.querySelector("h2").textContent)));
  document.documentElement.dataset.ready = "true";
}

main();
