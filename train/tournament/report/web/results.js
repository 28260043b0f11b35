// Who won: the sections on standings, meetings and margins. Each returns an element, or null without anything to show.
const MOST_FAULTS = 100;

// What the tournament says, in a sentence or two.
function verdict(data) {
  const lines = data.verdict.map((line, index) => el("p", { class: index > 0 && "quiet" }, line));
  return el("section", { class: "lead", "aria-label": "Result" }, lines);
}

function standings(data) {
  const axis = commonAxis(data.entrants.map((one) => one.points));
  const matches = data.play === "matches";
  const forfeits = data.entrants.some((one) => one.forfeits);
  const extra = (name, ...content) => el("td", { class: "extra", "data-name": name }, content);
  const rows = data.entrants.map((one) => {
    const { rating, wins } = one;
    const elo = `${signed(rating.low, 0)} … ${signed(rating.high, 0)}`;
    return row(
      one.name,
      estimatePicture(one.points, axis, one.name, pointsUnit(data)),
      estimateCell(one.points),
      extra("rating", signed(rating.elo, 0), rating.separable && "*", el("small", {}, elo)),
      extra("won", percent(wins.mean, 1), el("small", {}, shareRange(wins))),
      extra("n", count(one.points.n)),
      forfeits && extra("forfeits", count(one.forfeits)),
    );
  });
  const names = ["", "", pointsUnit(data), "rating", `${matches ? "matches" : "boards"} won`, "n"];
  const separable = data.entrants.some((one) => one.rating.separable);
  return section(
    "standings",
    "Standings",
    "Own match points minus the others’, a mean over tables, boards and opponents, with the 95 % interval. " +
      `The rating is Bradley–Terry’s on Elo’s scale, 0 the mean: it counts ${data.play} won, ` +
      "so its order may differ from that of points." +
      (separable ? " *: it won or lost without exception, and games bound its rating on one side only." : ""),
    el(
      "table",
      { class: "standings" },
      head(...names, ...(forfeits ? ["forfeits"] : [])),
      el("tbody", {}, rows, axisRow(axis)),
    ),
  );
}

function meetings(data) {
  const pairs = data.meetings.filter((one) => one.entrants.length === 2);
  const cross = pairs.length > 1 && crossTable(data, pairs);
  const tested = data.meetings.some((one) => one.sprt);
  const evened = data.meetings.some((one) => one.luck);
  const lines = data.meetings.flatMap(meetingLines);
  const axis = commonAxis(lines.map((one) => one.points));
  const extra = (name, ...content) => el("td", { class: "extra", "data-name": name }, content);
  const rows = lines.map(({ name, points, meeting }) =>
    row(
      name,
      estimatePicture(points, axis, name, pointsUnit(data)),
      estimateCell(points),
      extra("won / drawn / lost", meeting && [meeting.won, meeting.drawn, meeting.lost].map(count).join(" / ")),
      extra("n", count(points.n)),
      tested && extra("test", meeting && testText(meeting.sprt)),
      evened && extra("luck taken out", meeting && luckText(meeting.luck)),
    ),
  );
  const names = ["", "", pointsUnit(data), "won / drawn / lost", "n"];
  const more = [tested && "sequential test", evened && "luck taken out"].filter(Boolean);
  return section(
    "meetings",
    "Meetings",
    `The first against the second.${cross ? " In the first table, the row against the column." : ""}` +
      (tested ? " The interval beside a sequential test holds wherever it stops, and is wider for that." : ""),
    cross && wide(cross),
    el("table", { class: "standings" }, head(...names, ...more), el("tbody", {}, rows, axisRow(axis))),
  );
}

// A meeting of two is a line; of three at a table each has one of its own.
function meetingLines(meeting) {
  if (!meeting.others) return [{ name: versus(meeting), points: meeting.points, meeting }];
  const [first, ...others] = meeting.entrants;
  return [
    { name: versus(meeting), points: meeting.points, meeting },
    ...others.map((name, index) => ({ name, points: meeting.others[index] })),
  ];
}

function testText(sprt) {
  if (!sprt) return NONE;
  const [low, high] = sprt.margins.map((margin) => signed(margin));
  const verdict = { lower: `${low} rather than ${high}`, upper: `${high} rather than ${low}` }[sprt.settled];
  return [verdict ?? `open: ${low} or ${high}`, el("small", {}, range(sprt))];
}

const luckText = (luck) =>
  luck ? [`${percent(luck.removed)} of the variance`, el("small", {}, `as played ${signed(luck.raw.mean)}`)] : NONE;

function crossTable(data, pairs) {
  const most = Math.max(...pairs.map((one) => Math.abs(one.points.mean))) || 1;
  const cell = (own, other) => {
    if (own === other) return el("td", { class: "self" }, "·");
    const meeting = pairs.find((one) => one.entrants.includes(own) && one.entrants.includes(other));
    if (!meeting) return el("td", { class: "self" }, "");
    const points = meeting.entrants[0] === own ? meeting.points : opposite(meeting.points);
    const share = 6 + (34 * Math.abs(points.mean)) / most;
    return el(
      "td",
      {
        class: points.mean < 0 ? "shade minus" : "shade",
        style: `--share: ${points.mean ? share : 0}`,
        title: `${own} against ${other}: ${told(points, pointsUnit(data))}`,
      },
      signed(points.mean),
      el("small", {}, points.low == null ? NONE : `± ${plain((points.high - points.low) / 2)}`),
    );
  };
  const names = data.entrants.map((one) => one.name);
  return el(
    "table",
    { class: "cross" },
    head("", ...names),
    el(
      "tbody",
      {},
      names.map((own) =>
        row(
          own,
          names.map((other) => cell(own, other)),
        ),
      ),
    ),
  );
}

const opposite = (one) => ({
  ...one,
  mean: -one.mean,
  low: one.high == null ? null : -one.high,
  high: one.low == null ? null : -one.low,
});

function margins(data) {
  const all = data.meetings.flatMap((one) => one.margins.values);
  const reach = Math.max(1, ...all.map(Math.abs));
  const axis = axisOf(-reach * 1.05, reach * 1.05, 6);
  const figures = data.meetings.map((one) =>
    el(
      "figure",
      {},
      el(
        "figcaption",
        { class: "name" },
        versus(one),
        el("span", { class: "quiet" }, `mean ${signed(one.points.mean)}, n = ${count(one.points.n)}`),
      ),
      histogram(
        one.margins,
        axis,
        one.points.mean,
        `Distribution of the margins of ${versus(one)}: mean ${signed(one.points.mean)}`,
      ),
    ),
  );
  return section(
    "margins",
    "Margins",
    "How it came out for the first of each meeting; the pointer marks the mean.",
    el("div", { class: "grid" }, figures),
  );
}

function faults(data) {
  if (!data.faults.length) return null;
  const shown = data.faults.slice(0, MOST_FAULTS);
  const rows = shown.map((one) =>
    row(
      one.entrant,
      el("td", { class: "left" }, one.meeting.join(" against ")),
      count(one.board),
      count(one.table),
      el("td", { class: "left" }, one.reason),
    ),
  );
  const more = data.faults.length - shown.length;
  return section(
    "faults",
    "Forfeits",
    "An agent that crashed, took too long, or did what may not be done: its side forfeited the table.",
    wide(el("table", { class: "faults" }, head("", "meeting", "board", "table", "reason"), el("tbody", {}, rows))),
    more > 0 && el("p", { class: "quiet" }, `… and ${count(more)} more, all in results.json.`),
  );
}
