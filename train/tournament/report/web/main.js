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
  try {
    theme = localStorage.getItem("blot-theme") ?? theme;
  } catch {
    /* a file may have no storage */
  }
  if (!names.includes(theme)) theme = "auto";
  show(theme);
  button.addEventListener("click", () => {
    theme = names[(names.indexOf(theme) + 1) % names.length];
    show(theme);
    try {
      localStorage.setItem("blot-theme", theme);
    } catch {
      /* then it lasts as long as the page */
    }
  });
}

function heading(data) {
  const [unit, units] = data.play === "matches" ? ["match", "matches"] : ["board", "boards"];
  const fields = Object.entries(data.fields ?? {}).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  find("kind").textContent = `${data.duplicate ? "Duplicate" : "Single"} ${units}, ${data.format.replace("-", " ")}`;
  find("title").textContent = [data.rules, ...fields].join(", ");
  const played = data.meetings.map((one) => one.boards);
  const [fewest, most] = [Math.min(...played), Math.max(...played)];
  find("settings").textContent = [
    many(data.entrants.length, "entrant"),
    `${fewest < most ? `${count(fewest)} to ` : ""}${many(most, unit, units)} a meeting`,
    `to ${data.target}`,
    data.bank ? `bank ${data.bank}` : `seed ${data.seed}`,
  ].join(" · ");
  find("footer").textContent =
    `blot ${data.blot}. Intervals are 95 %; n counts ${units} unless it says otherwise. ` +
    "The same figures lie in results.json and the CSV files beside this page.";
}

// Boards of all meetings as rows of the list; their tables are made when they are looked at.
function boardRows(packed) {
  const meetings = packed.meetings.map((meeting) => ({ name: versus(meeting) }));
  const rows = packed.meetings.flatMap((meeting, index) => {
    const source = new Deals(packed.game, meeting.deals);
    const faults = Map.groupBy(meeting.faults, (one) => one.board);
    return meeting.board.map((board, place) => {
      const own = faults.get(board) ?? [];
      const tables = () => tablesOf(meeting, source, board, own);
      const [margin, outcome] = [meeting.margin[place], meeting.outcome[place]];
      return { board, meeting: index, margin, outcome, forfeited: own.length > 0, tables };
    });
  });
  return [rows, meetings];
}

function tablesOf(meeting, source, board, faults) {
  const deals = source.byBoard.get(board) ?? [];
  return meeting.players[board % meeting.players.length]
    .map((players, number) => ({
      number,
      source,
      players,
      deals: deals.filter((deal) => source.columns.table[deal] === number),
      fault: faults.find((one) => one.table === number),
    }))
    .filter((table) => table.deals.length || table.fault);
}

async function boardList(data) {
  const packed = await unpack(find("deals").textContent);
  const [rows, meetings] = boardRows(packed);
  const unit = data.play === "matches" ? "match" : "board";
  const boards = new Boards(rows, meetings, unit, (index) => replay.open(index));
  const replay = new Replay(find("replay"), boards);
  return section(
    "boards",
    unit === "match" ? "Matches" : "Boards",
    "Each can be seen again, card by card, at all its tables. Margins are those of the meeting’s first.",
    boards.element,
  );
}

async function main() {
  const data = JSON.parse(find("summary").textContent);
  themeButton(find("theme"));
  heading(data);
  const made = [verdict, standings, meetings, margins, contracts, bidding, regret, parts, timing, faults]
    .map((make) => make(data))
    .filter(Boolean);
  find("main").append(...made);
  const list = await boardList(data);
  find("main").append(list);
  const named = [...made, list].filter((one) => one.id);
  find("contents").append(...named.map((one) => el("a", { href: `#${one.id}` }, one.querySelector("h2").textContent)));
  document.documentElement.dataset.ready = "true";
}

main();
