// The sections of the page, from results.json. Each returns an element, or null where there is nothing to show.
const POINTS = "match points a board";

function section(id, title, text, ...content) {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title),
    text && el("p", { class: "quiet" }, text), content);
}

const head = (...names) => el("thead", {}, el("tr", {}, names.map((name) => el("th", { scope: "col" }, name))));
const row = (name, ...cells) => el("tr", {}, el("th", { scope: "row", class: "name" }, name), cells.flat().filter((cell) => cell !== false).map((cell) =>
  cell instanceof Element && cell.tagName === "TD" ? cell : el("td", {}, cell)));
const wide = (table) => el("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "Table" }, table);
const clear = (estimate) => estimate.low != null && (estimate.low > 0 || estimate.high < 0);
const versus = (meeting) => meeting.entrants.join(" against ");

// What the tournament says, in a sentence or two.
function verdict(data) {
  const [best, second] = data.entrants;
  const match = data.play === "matches";
  const points = (estimate) => [el("strong", {}, signed(estimate.mean)), " (", range(estimate), ")"];
  const lines = [el("p", {}, el("strong", { class: "name" }, best.name), ` leads with `, points(best.points),
    ` match points a ${match ? "match" : "board"}.`)];
  if (data.meetings.length === 1 && best.points.mean === 0)
    lines[0] = el("p", {}, "Neither is ahead: ", points(best.points), ` match points a ${match ? "match" : "board"}.`);
  const direct = data.meetings.find((one) => one.entrants.includes(best.name) && one.entrants.includes(second.name));
  if (direct && !clear(direct.points) && direct.points.mean !== 0)
    lines.push(el("p", { class: "quiet" }, `That ${best.name} is better than ${second.name} is not settled: the interval of their meeting holds zero.`));
  for (const cycle of data.cycles)
    lines.push(el("p", { class: "quiet" }, `A cycle: ${[...cycle.entrants, cycle.entrants[0]].join(" beats ")}`,
      cycle.sure ? ", each surely." : "; by the means only, which may be luck."));
  if (data.faults.length)
    lines.push(el("p", { class: "quiet" }, `${many(data.faults.length, "board")} forfeited; `, el("a", { href: "#faults" }, "why"), "."));
  return el("section", { class: "lead", "aria-label": "Result" }, lines);
}

function standings(data) {
  const axis = commonAxis(data.entrants.map((one) => one.points));
  const unit = data.play === "matches" ? "match points a match" : POINTS;
  const rated = data.entrants.some((one) => one.rating), won = data.entrants.some((one) => one.wins);
  const forfeits = data.entrants.some((one) => one.forfeits);
  const extra = (name, title, ...content) => el("td", { class: "extra", "data-name": name, title }, content);
  const rows = data.entrants.map((one) => row(one.name,
    el("td", { class: "picture" }, intervalPicture(one.points, axis, `${one.name}: ${told(one.points, unit)}`)),
    el("td", { class: "points" }, el("strong", {}, signed(one.points.mean)), el("small", {}, range(one.points))),
    rated && extra("rating", "", one.rating ? [signed(one.rating.elo, 0), el("small", {}, `${signed(one.rating.low, 0)} … ${signed(one.rating.high, 0)}`)] : NONE),
    won && extra("wins", "", one.wins ? [percent(one.wins.mean, 1), el("small", {}, `${percent(one.wins.low, 1)} … ${percent(one.wins.high, 1)}`)] : NONE),
    extra("n", "", count(one.points.n)),
    forfeits && extra("forfeits", "", count(one.forfeits)),
  ));
  rows.push(el("tr", { class: "axis-row" }, el("td"), el("td", { class: "picture" }, axisPicture(axis))));
  const names = ["", el("span", {}, ""), unit, rated && "rating", won && (data.play === "matches" ? "matches won" : "boards won"), "n", forfeits && "forfeits"];
  return section("standings", "Standings",
    `Own match points minus the others’, a mean over tables, boards and opponents, with the 95 % interval by bootstrap over boards.${rated ? " The rating is Bradley–Terry on Elo’s scale." : ""}`,
    el("table", { class: "standings" }, head(...names.filter((name) => name !== false)), el("tbody", {}, rows)));
}

function meetings(data) {
  const pairs = data.meetings.filter((one) => one.entrants.length === 2);
  const cross = pairs.length > 1 && crossTable(data, pairs);
  const sequential = data.meetings.some((one) => one.sprt), won = data.meetings.some((one) => one.wins);
  const axis = commonAxis(data.meetings.map((one) => one.points));
  const rows = data.meetings.map((one) => row(versus(one),
    el("td", { class: "picture" }, intervalPicture(one.points, axis, `${versus(one)}: ${told(one.points, POINTS)}`)),
    el("td", { class: "points" }, el("strong", {}, signed(one.points.mean)), el("small", {}, range(one.points))),
    el("td", { class: "extra", "data-name": "won, drawn, lost" }, `${count(one.won)} / ${count(one.drawn)} / ${count(one.lost)}`),
    won && el("td", { class: "extra", "data-name": "wins" }, one.wins ? percent(one.wins.mean, 1) : NONE),
    el("td", { class: "extra", "data-name": "n" }, count(one.points.n)),
    sequential && el("td", { class: "extra", "data-name": "test" }, sprtText(one.sprt)),
  ));
  const names = ["", "", POINTS, "won / drawn / lost", won && "wins", "n", sequential && "sequential test"];
  return section("meetings", "Meetings", "Of the first against the second. In the cross table: the row against the column.",
    cross && wide(cross), el("table", { class: "standings" }, head(...names.filter((name) => name !== false)), el("tbody", {}, rows)));
}

const sprtText = (sprt) => !sprt ? NONE
  : sprt.verdict === "upper" ? `at least ${signed(sprt.margins?.[1])}` : sprt.verdict === "lower" ? `at most ${signed(sprt.margins?.[0])}` : "not settled";

function crossTable(data, pairs) {
  const most = Math.max(...pairs.map((one) => Math.abs(one.points.mean))) || 1;
  const cell = (own, other) => {
    if (own === other) return el("td", { class: "self" }, "·");
    const meeting = pairs.find((one) => one.entrants.includes(own) && one.entrants.includes(other));
    if (!meeting) return el("td", { class: "self" }, "");
    const points = meeting.entrants[0] === own ? meeting.points : opposite(meeting.points);
    const share = 6 + (34 * Math.abs(points.mean)) / most;
    return el("td", { class: points.mean < 0 ? "shade minus" : "shade", style: `--share: ${points.mean ? share : 0}`, title: `${own} against ${other}: ${told(points, POINTS)}` },
      signed(points.mean), el("small", {}, points.low == null ? NONE : `± ${plain((points.high - points.low) / 2)}`));
  };
  const names = data.entrants.map((one) => one.name);
  return el("table", { class: "cross" }, head("", ...names), el("tbody", {}, names.map((own) => row(own, names.map((other) => cell(own, other))))));
}

const opposite = (one) => ({ ...one, mean: -one.mean, low: one.high == null ? null : -one.high, high: one.low == null ? null : -one.low });

function margins(data) {
  const all = data.meetings.flatMap((one) => one.margins.values);
  const reach = Math.max(1, ...all.map(Math.abs));
  const axis = axisOf(-reach * 1.05, reach * 1.05, 6);
  const figures = data.meetings.map((one) => el("figure", {},
    el("figcaption", { class: "name" }, versus(one), el("span", { class: "quiet" }, `${signed(one.points.mean)} a board, n = ${count(one.points.n)}`)),
    histogram(one.margins, axis, one.points.mean, `Distribution of the margins of ${versus(one)}: mean ${signed(one.points.mean)}, ${one.won} won, ${one.drawn} drawn, ${one.lost} lost`)));
  return section("margins", "Margins", `How the ${data.play === "matches" ? "matches" : "boards"} came out for the first of each meeting; the pointer marks the mean.`,
    el("div", { class: "grid" }, figures));
}

const RATES = [["deals", "deals", count], ["bid", "bid", percent], ["made", "made", percent], ["failed", "failed", percent],
  ["number", "number", (value) => plain(value, 1)], ["capots", "capots", (value) => percent(value, 1)], ["under_contra", "contra’d", percent],
  ["contras", "contras", percent], ["contras_right", "right", percent], ["recontras", "recontras", (value) => percent(value, 1)]];

function contracts(data) {
  const having = data.entrants.filter((one) => one.contracts);
  if (!having.length) return null;
  const value = (one, key) => one.contracts.rates?.[key] ?? (key === "deals" ? one.contracts.deals : null);
  const shown = RATES.filter(([key]) => having.some((one) => value(one, key)));
  const rates = el("table", {}, head("", ...shown.map(([, name]) => name)), el("tbody", {}, having.map((one) =>
    row(one.name, shown.map(([key, , format]) => el("td", { title: rateTold(one.contracts, key) }, format(value(one, key))))))));
  const maps = heatMaps(having);
  return section("contracts", "Contracts", "Bid: contracts of its own side, of all deals; made and the like: of these. Contras: of the others’ contracts; right: of these contras.",
    wide(rates), maps.length > 0 && el("h3", { style: "margin-top: 1.75rem" }, "By strain and number"),
    maps.length > 0 && el("p", { class: "quiet" }, "The darker, the more often it was bid; the figure is the share made, in per cent."),
    maps.length > 0 && el("div", { class: "grid" }, maps));
}

const rateTold = (contracts, key) => contracts[key] == null ? "" : `${key.replaceAll("_", " ")}: ${count(contracts[key])}`;

// Numbers up to 15 stand by themselves, then they are put together by tens; a capot is a row of its own.
function heatRow({ number, capot }) {
  if (capot) return { place: 1000, name: "capot" };
  if (number == null) return { place: 0, name: "named" };
  if (number <= 15) return { place: number, name: String(number) };
  const first = number < 20 ? 16 : number - (number % 10);
  return { place: first, name: `${first}–${first < 20 ? 19 : first + 9}` };
}

function heatMap(entrant, rows, strains) {
  const cells = new Map();
  for (const one of entrant.contracts.grid) {
    const key = `${heatRow(one).name} ${one.strain}`, before = cells.get(key) ?? { bid: 0, made: 0 };
    cells.set(key, { bid: before.bid + one.bid, made: before.made + one.made });
  }
  const most = Math.max(...[...cells.values()].map((one) => one.bid));
  const all = entrant.contracts.grid.reduce((sum, one) => sum + one.bid, 0);
  const cell = (row, strain) => {
    const one = cells.get(`${row.name} ${strain}`);
    if (!one?.bid) return el("td", {});
    const name = `${row.name} ${strainName(strain)}`;
    return el("td", { class: "shade", style: `--share: ${(4 + 44 * Math.sqrt(one.bid / most)).toFixed(1)}`,
      title: `${name}: bid ${count(one.bid)} times, made ${count(one.made)} (${percent(one.made / one.bid)})` }, fixed((100 * one.made) / one.bid, 0));
  };
  const heads = strains.map((strain) => el("th", { scope: "col", class: isRed("7" + strain) ? "suit-red" : "" }, strainName(strain)));
  return el("figure", {}, el("figcaption", { class: "name" }, entrant.name, el("span", { class: "quiet" }, `n = ${many(all, "contract")}`)),
    el("table", { class: "heat" }, el("thead", {}, el("tr", {}, el("td"), heads)),
      el("tbody", {}, rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row.name), strains.map((strain) => cell(row, strain)))))));
}

function heatMaps(entrants) {
  const having = entrants.filter((one) => one.contracts.grid.length);
  const all = having.flatMap((one) => one.contracts.grid);
  const rows = [...new Map(all.map((one) => [heatRow(one).name, heatRow(one)])).values()].sort((one, other) => one.place - other.place);
  const strains = ["C", "D", "H", "S", "NT", "AT"].filter((strain) => all.some((one) => one.strain === strain));
  return having.map((one) => heatMap(one, rows, strains));
}

function regret(data) {
  const having = data.entrants.filter((one) => one.regret?.bidder?.length);
  if (!having.length) return null;
  const highest = Math.max(...having.flatMap((one) => [...one.regret.bidder, ...one.regret.defender].map((estimate) => estimate.mean ?? 0)));
  const figures = having.map((one) => el("figure", {},
    el("figcaption", { class: "name" }, one.name, el("span", { class: "quiet" },
      `a deal: bidder ${plain(one.regret.bidder_deal?.mean, 1)}, defender ${plain(one.regret.defender_deal?.mean, 1)}; n = ${count(one.regret.n)}`)),
    curves([{ name: "bidder", estimates: one.regret.bidder }, { name: "defender", estimates: one.regret.defender, minus: true }], highest,
      `Card points that ${one.name} gave away by trick, as bidder and as defender`)));
  return section("regret", "Points left on the table", "Card points given away against double dummy, a deal, by trick: what the best card was worth with all cards seen, minus what the card played was worth.",
    el("ul", { class: "keys" }, el("li", {}, el("span", { class: "key" }), "as bidder"), el("li", {}, el("span", { class: "key minus" }), "as defender")),
    el("div", { class: "grid" }, figures));
}

function parts(data) {
  const having = data.meetings.filter((one) => one.parts);
  if (!having.length) return null;
  const axis = commonAxis(having.flatMap((one) => [one.points, one.parts.auction, one.parts.cards]));
  const line = (name, estimate) => row(name,
    el("td", { class: "picture" }, intervalPicture(estimate, axis, `${name}: ${told(estimate, POINTS)}`)),
    el("td", { class: "points" }, el("strong", {}, signed(estimate.mean)), el("small", {}, range(estimate))),
    el("td", { class: "extra", "data-name": "n" }, count(estimate.n)));
  const tables = having.map((one) => el("figure", {}, el("figcaption", { class: "name" }, versus(one)),
    el("table", { class: "standings" }, head("", "", POINTS, "n"), el("tbody", {}, line("auction alone", one.parts.auction), line("cards alone", one.parts.cards)))));
  return section("parts", "Auction and cards apart", "The first entrant’s auction with the second’s card play, and the other way round, each against the second entrant itself.", tables);
}

function timing(data) {
  const timed = data.entrants.filter((one) => one.time?.median > 0);
  if (!timed.length) return null;
  const points = timed.filter((one) => one.rating).map((one) => ({ name: one.name, seconds: one.time.median, rating: one.rating }));
  const table = el("table", {}, head("", "median", "99 %", "mean", "n"), el("tbody", {}, timed.map((one) =>
    row(one.name, time(one.time.median), time(one.time.p99), time(one.time.mean), count(one.time.n)))));
  return section("time", "Strength and time", "Rating against the median time of a decision that was asked alone, on a logarithmic scale.",
    points.length > 1 && timePicture(points, "Rating against the median time of a decision"), el("h3", { style: "margin-top: 1.5rem" }, "Time a decision"), wide(table));
}

function faults(data) {
  if (!data.faults.length) return null;
  const rows = data.faults.map((one) => row(one.entrant ?? NONE, count(one.board), count(one.table), el("td", { class: "left" }, one.reason)));
  return section("faults", "Forfeits", "An agent that crashed, took too long, or did what may not be done: its side forfeited the board.",
    wide(el("table", {}, head("", "board", "table", el("span", {}, "reason")), el("tbody", {}, rows))));
}
