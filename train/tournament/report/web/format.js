// Numbers and cards as people read them.
const NONE = "–";
const SUITS = { C: "♣", D: "♦", H: "♥", S: "♠" };
const CARD_TEXT = /(\d{1,2}|[TJQKA]|capot|name)([CDHS])(?=$|capot)/;

const fixed = (value, digits) =>
  value
    .toFixed(digits)
    .replace(/^-(?=[0.]*$)/, "")
    .replace("-", "−");
const plain = (value, digits = 2) => (value == null ? NONE : fixed(value, digits));
const signed = (value, digits = 2) =>
  value == null ? NONE : value > 0 && Number(value.toFixed(digits)) ? "+" + fixed(value, digits) : fixed(value, digits);
const percent = (share, digits = 0) => (share == null ? NONE : fixed(100 * share, digits) + " %");
const count = (number) => (number == null ? NONE : Math.round(number).toLocaleString("en"));
const many = (number, one, more = one + "s") => `${count(number)} ${number === 1 ? one : more}`;
const range = (estimate, digits = 2) =>
  estimate?.low == null ? NONE : `${signed(estimate.low, digits)} … ${signed(estimate.high, digits)}`;

const shareRange = (share) => (share.low == null ? NONE : `${percent(share.low, 1)} … ${percent(share.high, 1)}`);
const spread = (estimate, digits = 2) =>
  estimate?.low == null ? NONE : `${plain(estimate.low, digits)} … ${plain(estimate.high, digits)}`;

function time(seconds) {
  if (seconds == null) return NONE;
  const [factor, unit] = seconds < 1e-3 ? [1e6, "µs"] : seconds < 1 ? [1e3, "ms"] : [1, "s"];
  const value = factor * seconds;
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ${unit}`;
}

function told(estimate, unit, digits = 2) {
  const sd = estimate.sd == null ? "" : `, standard deviation ${plain(estimate.sd, digits)}`;
  const mean = `${signed(estimate.mean, digits)} ${unit}`;
  return `${mean}, 95 % interval ${range(estimate, digits)}, n = ${count(estimate.n)}${sd}`;
}

const isRed = (text) => /[DH](capot)?$/.test(text) && CARD_TEXT.test(text);
const written = (text) =>
  text.replace(CARD_TEXT, (_, rank, suit) => (rank === "name" ? "" : rank === "T" ? "10" : rank) + SUITS[suit]);
const strainName = (strain) => SUITS[strain] ?? strain;
