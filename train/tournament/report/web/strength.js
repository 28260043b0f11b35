// Where the difference comes from: card play, auction and cards apart, and time.
const ROLES = ["bidder", "defender"];

function regret(data) {
  const known = (one) => one.regret && ROLES.some((role) => one.regret[role].some(Boolean));
  const having = data.entrants.filter(known);
  if (!having.length) return null;
  const means = having.flatMap((one) =>
    ROLES.flatMap((role) => one.regret[role].map((estimate) => estimate?.mean ?? 0)),
  );
  const figures = having.map((one) =>
    el(
      "figure",
      {},
      el("figcaption", { class: "name" }, one.name),
      curves(
        ROLES.map((role) => ({ name: role, estimates: one.regret[role], minus: role === "defender" })),
        Math.max(...means),
        `Card points that ${one.name} gave away by trick, as bidder and as defender`,
      ),
    ),
  );
  const cell = (estimate) =>
    el(
      "td",
      { title: estimate ? told(estimate, "a deal") : "" },
      plain(estimate?.mean),
      el("small", {}, spread(estimate)),
    );
  const rows = having.map((one) =>
    row(
      one.name,
      ROLES.flatMap((role) => [
        cell(one.regret[`${role}_deal`]),
        cell(one.regret.match_points?.[`${role}_deal`]),
        count(one.regret[`${role}_n`]),
      ]),
    ),
  );
  const names = ROLES.flatMap((role) => [`card points as ${role}`, "match points", "deals"]);
  return section(
    "regret",
    "Points left on the table",
    "Given away against double dummy: what the best card was worth with all cards seen, minus what the card played " +
      "was worth. Card points by trick, then all of a deal with its interval.",
    el(
      "ul",
      { class: "keys" },
      el("li", {}, el("span", { class: "key" }), "as bidder"),
      el("li", {}, el("span", { class: "key minus" }), "as defender"),
    ),
    el("div", { class: "grid" }, figures),
    el("div", { class: "after" }, wide(el("table", {}, head("", ...names), el("tbody", {}, rows)))),
  );
}

const PARTS = { auction: "auction alone", cards: "cards alone", together: "together beyond that", whole: "in all" };

function parts(data) {
  const having = data.meetings.filter((one) => one.parts);
  if (!having.length) return null;
  const axis = commonAxis(having.flatMap((one) => Object.keys(PARTS).map((part) => one.parts[part])));
  const line = (estimate, name) =>
    row(
      name,
      estimatePicture(estimate, axis, name, pointsUnit(data)),
      estimateCell(estimate),
      el("td", { class: "extra", "data-name": "n" }, count(estimate.n)),
    );
  const tables = having.map((one) => {
    const lines = Object.entries(PARTS).map(([part, name]) => line(one.parts[part], name));
    const table = el(
      "table",
      { class: "standings" },
      head("", "", pointsUnit(data), "n"),
      el("tbody", {}, lines, axisRow(axis)),
    );
    return el("figure", { class: "part" }, el("figcaption", { class: "name" }, versus(one)), table);
  });
  return section(
    "parts",
    "Auction and cards apart",
    "What the first gains over the second by its auction alone, the second playing the cards for both, " +
      "and by its cards alone.",
    tables,
  );
}

function timing(data) {
  const timed = data.entrants.filter((one) => one.time.n);
  if (!timed.length) return null;
  const points = timed.map((one) => ({ name: one.name, seconds: one.time.median, rating: one.rating }));
  const rows = timed.map((one) => {
    const { median, p99, mean, n } = one.time;
    return row(one.name, time(median), time(p99), time(mean), count(n));
  });
  return section(
    "time",
    "Strength and time",
    "Rating against the median time of a decision that was asked alone, on a logarithmic scale.",
    points.length > 1 && timePicture(points, "Rating against the median time of a decision"),
    el("h3", { class: "next" }, "Time a decision"),
    wide(el("table", {}, head("", "median", "99 %", "mean", "n"), el("tbody", {}, rows))),
  );
}
