// Pictures. Across, places are in per cent of the width, so a picture follows the page without being drawn again.
function axisOf(low, high, wanted = 5) {
  if (!(high > low)) [low, high] = [low - 1, high + 1];
  const raw = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks = [];
  for (let place = Math.ceil(low / step - 1e-9); place * step <= high + step * 1e-9; place++) ticks.push(place * step);
  const place = (value) => (100 * (value - low)) / (high - low);
  return { low, high, ticks, digits, place, at: (value) => place(value).toFixed(3) + "%" };
}

// An axis on which all estimates lie, zero too, with a little air.
function commonAxis(estimates, wanted = 5) {
  const ends = estimates.filter(Boolean).flatMap((one) => [one.low ?? one.mean, one.high ?? one.mean]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const air = 0.04 * (high - low || 25);
  return axisOf(low - air, high + air, wanted);
}

function intervalPicture(estimate, axis, label, height = 26) {
  const middle = height / 2;
  const parts = axis.ticks.map((tick) =>
    draw("line", { x1: axis.at(tick), x2: axis.at(tick), y1: 0, y2: height, class: tick === 0 ? "zero" : "axis" }),
  );
  if (estimate.low != null)
    parts.push(
      draw("line", { x1: axis.at(estimate.low), x2: axis.at(estimate.high), y1: middle, y2: middle, class: "span" }),
    );
  parts.push(draw("circle", { cx: axis.at(estimate.mean), cy: middle, r: 4.5, class: "mean" }));
  return draw("svg", { height, role: "img", "aria-label": label }, draw("title", {}, label), parts);
}

function axisPicture(axis) {
  const texts = axis.ticks.map((tick) =>
    draw("text", { x: axis.at(tick), y: 12, "text-anchor": "middle" }, signed(tick, axis.digits)),
  );
  return draw("svg", { height: 16, "aria-hidden": "true" }, texts);
}

// A distribution of margins, in equal bins around zero.
function histogram({ values, counts }, axis, mean, label, height = 120) {
  const bins = binned(values, counts, axis);
  const highest = Math.max(...bins.map((bin) => bin.count));
  const all = counts.reduce((sum, one) => sum + one, 0);
  const bars = bins
    .filter((bin) => bin.count)
    .map((bin) => {
      const size = Math.max(1, (height * bin.count) / highest);
      const x = axis.place(bin.from);
      const told = `${bin.name}: ${many(bin.count, "board")}, ${percent(bin.count / all, 1)}`;
      const sides = { x: `${x.toFixed(3)}%`, width: `${Math.max(0.2, axis.place(bin.to) - x - 0.25).toFixed(3)}%` };
      const middle = bin.from + bin.to;
      const kind = Math.abs(middle) < 1e-9 ? "bar even" : middle < 0 ? "bar minus" : "bar";
      return draw("rect", { ...sides, y: height - size, height: size, class: kind }, draw("title", {}, told));
    });
  const zero = draw("line", { x1: axis.at(0), x2: axis.at(0), y1: 0, y2: height, class: "zero" });
  const base = draw("line", { x1: 0, x2: "100%", y1: height, y2: height, class: "axis" });
  const marker = draw("path", { d: "M0 0 l-4 7 h8 z", class: "mean" });
  const pointer = draw("svg", { x: axis.at(mean), y: height + 2, width: 1, height: 8, overflow: "visible" }, marker);
  const texts = axis.ticks.map((tick) =>
    draw("text", { x: axis.at(tick), y: height + 24, "text-anchor": "middle" }, signed(tick, axis.digits)),
  );
  return draw("svg", { height: height + 28, role: "img", "aria-label": label }, zero, bars, base, pointer, texts);
}

function binned(values, counts, axis, wanted = 60) {
  const raw = (axis.high - axis.low) / wanted;
  const step = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => size >= raw) ?? Math.ceil(raw / 1000) * 1000;
  const bins = new Map();
  values.forEach((value, index) => {
    const number = Math.round(value / step);
    bins.set(number, (bins.get(number) ?? 0) + counts[index]);
  });
  return [...bins]
    .sort(([one], [other]) => one - other)
    .map(([number, total]) => {
      const [from, to] = [(number - 0.5) * step, (number + 0.5) * step];
      return {
        from,
        to,
        count: total,
        name: step <= 1 ? signed(number * step, step < 1 ? 1 : 0) : `${signed(from, 0)} to ${signed(to, 0)}`,
      };
    });
}

// Lines over tricks, one for each part; `parts` are {estimates, minus}.
function curves(parts, highest, label, height = 110) {
  const most = Math.max(...parts.map((part) => part.estimates.length));
  const x = (index) => `${(8 + (88 * index) / Math.max(1, most - 1)).toFixed(3)}%`;
  const scale = axisOf(0, highest || 1, 3);
  const y = (value) => height - 4 - ((height - 12) * value) / (highest || 1);
  const nodes = scale.ticks.map((tick) => [
    draw("line", { x1: 0, x2: "100%", y1: y(tick), y2: y(tick), class: "axis" }),
    draw("text", { x: 0, y: y(tick) - 3 }, plain(tick, scale.digits)),
  ]);
  for (const { estimates, minus, name } of parts) {
    const kind = minus ? " minus" : "";
    estimates.forEach((one, index) => {
      const before = estimates[index - 1];
      if (!one || !before) return;
      const ends = { x1: x(index - 1), x2: x(index), y1: y(before.mean), y2: y(one.mean) };
      nodes.push(draw("line", { ...ends, class: "curve" + kind }));
    });
    estimates.forEach((one, index) => {
      if (!one) return;
      const told = `${name}, trick ${index + 1}: ${plain(one.mean)} (${spread(one)}), n = ${count(one.n)}`;
      nodes.push(
        draw("circle", { cx: x(index), cy: y(one.mean), r: 4, class: "point" + kind }, draw("title", {}, told)),
      );
    });
  }
  for (let index = 0; index < most; index++)
    nodes.push(draw("text", { x: x(index), y: height + 14, "text-anchor": "middle" }, String(index + 1)));
  return draw("svg", { height: height + 18, role: "img", "aria-label": label }, nodes);
}

// Rating against time: points are {name, seconds, rating}.
function timePicture(points, label, height = 280) {
  const logs = points.map((point) => Math.log10(point.seconds));
  const [from, to] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs) + 1e-9)];
  const x = (seconds) => 7 + (86 * (Math.log10(seconds) - from)) / (to - from);
  const ends = points.flatMap(({ rating }) => [rating.low, rating.high]);
  const air = 0.08 * (Math.max(...ends) - Math.min(...ends) || 100);
  const axis = axisOf(Math.min(...ends) - air, Math.max(...ends) + air);
  const y = (elo) => height - (height * axis.place(elo)) / 100;
  const nodes = axis.ticks.map((tick) => [
    draw("line", { x1: 0, x2: "100%", y1: y(tick), y2: y(tick), class: tick === 0 ? "zero" : "axis" }),
    draw("text", { x: 0, y: y(tick) - 4 }, signed(tick, axis.digits)),
  ]);
  for (let power = from; power <= to; power++) {
    const place = { x: `${x(10 ** power).toFixed(3)}%`, y: height + 18, "text-anchor": "middle" };
    nodes.push(draw("text", place, time(10 ** power)));
  }
  const free = labelPlaces();
  for (const { name, seconds, rating } of [...points].sort((one, other) => other.rating.elo - one.rating.elo)) {
    const at = `${x(seconds).toFixed(3)}%`;
    const elo = `${signed(rating.elo, 0)} (${signed(rating.low, 0)} … ${signed(rating.high, 0)})`;
    const told = draw("title", {}, `${name}: ${elo}, median ${time(seconds)} a decision`);
    const left = x(seconds) > 60;
    const place = { x: at, y: free(x(seconds), y(rating.elo) + 4), dx: left ? -11 : 11, class: "label" };
    nodes.push(
      draw("line", { x1: at, x2: at, y1: y(rating.low), y2: y(rating.high), class: "span" }),
      draw("circle", { cx: at, cy: y(rating.elo), r: 5, class: "point" }, told),
      draw("text", { ...place, "text-anchor": left ? "end" : "start" }, name),
    );
  }
  return draw("svg", { height: height + 24, role: "img", "aria-label": label }, nodes);
}

// Returns a function that finds a free height for a label, at the one wanted or below.
function labelPlaces() {
  const used = [];
  return (place, wanted) => {
    const taken = (height) =>
      used.some((other) => Math.abs(other.height - height) < 15 && Math.abs(other.place - place) < 30);
    let height = wanted;
    while (taken(height)) height += 15;
    used.push({ height, place });
    return height;
  };
}
