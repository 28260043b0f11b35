// What the sections of the page share.
const pointsUnit = (data) => `match points a ${data.play === "matches" ? "match" : "board"}`;

function section(id, title, text, ...content) {
  return el(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title` }, title),
    text && el("p", { class: "quiet" }, text),
    content,
  );
}

const head = (...names) =>
  el(
    "thead",
    {},
    el(
      "tr",
      {},
      names.map((name) => el("th", { scope: "col" }, name)),
    ),
  );

const row = (name, ...cells) =>
  el(
    "tr",
    {},
    el("th", { scope: "row", class: "name" }, name),
    cells
      .flat()
      .filter((cell) => cell !== false)
      .map((cell) => (cell instanceof Element && cell.tagName === "TD" ? cell : el("td", {}, cell))),
  );

const wide = (table) => el("div", { class: "wide", tabindex: 0, role: "group", "aria-label": "Table" }, table);
const versus = ({ entrants: [first, ...others] }) => `${first} against ${others.join(" and ")}`;

const estimateCell = (estimate) =>
  el("td", { class: "points" }, el("strong", {}, signed(estimate.mean)), el("small", {}, range(estimate)));

const estimatePicture = (estimate, axis, name, unit) =>
  el("td", { class: "picture" }, intervalPicture(estimate, axis, `${name}: ${told(estimate, unit)}`));

// The last row of a table of estimates: the axis of their pictures.
const axisRow = (axis) => el("tr", { class: "axis-row" }, el("td"), el("td", { class: "picture" }, axisPicture(axis)));
