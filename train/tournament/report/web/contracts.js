// What was bid: the sections on contracts and on the best bid.
const RATES = [
  ["deals", "deals", count],
  ["bid", "bid", percent],
  ["made", "made", percent],
  ["failed", "failed", percent],
  ["number", "number", (value) => plain(value, 1)],
  ["capots", "capots", (value) => percent(value, 1)],
  ["under_contra", "contra’d", percent],
  ["contras", "contras", percent],
  ["contras_right", "right", percent],
  ["recontras", "recontras", (value) => percent(value, 1)],
];

function contracts(data) {
  const value = ({ contracts }, key) => (key === "deals" ? contracts.deals : contracts.rates[key]);
  const shown = RATES.filter(([key]) => data.entrants.some((one) => value(one, key)));
  const rows = data.entrants.map((one) => {
    const cells = shown.map(([key, name, format]) => {
      const title = `${name}: ${count(one.contracts[key] ?? one.contracts.bid)}`;
      return el("td", { title }, format(value(one, key)));
    });
    return row(one.name, cells);
  });
  const maps = heatMaps(data.entrants);
  return section(
    "contracts",
    "Contracts",
    "Bid: contracts of its own side, of all deals; made and the like: of these." +
      (shown.some(([key]) => key === "contras")
        ? " Contras: of the others’ contracts; right: of these contras; recontras: of its own that were contra’d."
        : ""),
    wide(el("table", {}, head("", ...shown.map(([, name]) => name)), el("tbody", {}, rows))),
    maps.length > 0 && [
      el("h3", { class: "next" }, "By strain and number"),
      el(
        "p",
        { class: "quiet" },
        "The stronger the colour, the more often; the figure is the share made, in per cent.",
      ),
      el("div", { class: "grid" }, maps),
    ],
  );
}

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
    const key = `${heatRow(one).name} ${one.strain}`;
    const before = cells.get(key) ?? { bid: 0, made: 0 };
    cells.set(key, { bid: before.bid + one.bid, made: before.made + one.made });
  }
  const most = Math.max(...[...cells.values()].map((one) => one.bid));
  const all = entrant.contracts.grid.reduce((sum, one) => sum + one.bid, 0);
  const cell = (row, strain) => {
    const one = cells.get(`${row.name} ${strain}`);
    if (!one?.bid) return el("td", {});
    const name = `${row.name} ${strainName(strain)}`;
    return el(
      "td",
      {
        class: "shade",
        style: `--share: ${(4 + 44 * Math.sqrt(one.bid / most)).toFixed(1)}`,
        title: `${name}: bid ${count(one.bid)} times, made ${count(one.made)} (${percent(one.made / one.bid)})`,
      },
      fixed((100 * one.made) / one.bid, 0),
    );
  };
  const heads = strains.map((strain) =>
    el("th", { scope: "col", class: isRed("7" + strain) ? "suit-red" : "" }, strainName(strain)),
  );
  return el(
    "figure",
    {},
    el("figcaption", { class: "name" }, entrant.name, el("span", { class: "quiet" }, `n = ${many(all, "contract")}`)),
    el(
      "table",
      { class: "heat" },
      el("thead", {}, el("tr", {}, el("td"), heads)),
      el(
        "tbody",
        {},
        rows.map((row) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, row.name),
            strains.map((strain) => cell(row, strain)),
          ),
        ),
      ),
    ),
  );
}

function heatMaps(entrants) {
  const having = entrants.filter((one) => one.contracts.grid.length);
  const all = having.flatMap((one) => one.contracts.grid);
  const rows = [...new Map(all.map((one) => [heatRow(one).name, heatRow(one)])).values()].sort(
    (one, other) => one.place - other.place,
  );
  const strains = ["C", "D", "H", "S", "NT", "AT"].filter((strain) => all.some((one) => one.strain === strain));
  return having.map((one) => heatMap(one, rows, strains));
}

const BIDDING = [
  ["underbid", "bid too low"],
  ["overbid", "bid too high"],
  ["passed_up", "passed up"],
  ["contra_missed", "contra missed"],
  ["contra_lost", "contra wrong"],
  ["contra_won", "contra gained"],
];

function bidding(data) {
  const having = data.entrants.filter((one) => one.bidding);
  const shown = BIDDING.filter(([key]) => having.some((one) => one.bidding[key]?.points?.mean));
  if (!shown.length) return null;
  const cell = (kind) =>
    el(
      "td",
      {},
      plain(kind?.points?.mean),
      el("small", {}, spread(kind?.points)),
      el("small", {}, kind ? `${count(kind.deals)} of ${count(kind.n)}` : ""),
    );
  const rows = having.map((one) =>
    row(
      one.name,
      shown.map(([key]) => cell(one.bidding[key])),
    ),
  );
  return section(
    "bidding",
    "Bids against the best bid",
    "Match points a deal between what was bid and the best that double dummy knew, with intervals; " +
      "below, in how many deals there was any, of those in which there could be.",
    wide(el("table", {}, head("", ...shown.map(([, name]) => name)), el("tbody", {}, rows))),
  );
}
