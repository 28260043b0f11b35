// Returns what text is too faint. Cards that have left a hand are meant to be, and the cross table's diagonal is empty.
() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const behind = (node) =>
    node ? over(rgba(getComputedStyle(node).backgroundColor), behind(node.parentElement)) : [255, 255, 255, 1];
  const light = (colour) =>
    colour
      .slice(0, 3)
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  const found = [];
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!own || !node.checkVisibility() || node.closest("script, .gone, .self, option, title")) continue;
    const style = getComputedStyle(node);
    const back = behind(node);
    const text = over(rgba(node.namespaceURI.endsWith("svg") ? style.fill : style.color), back);
    const [one, other] = [light(text), light(back)];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < 4.5)
      found.push(
        `${node.tagName} ${node.className.baseVal ?? node.className} ${node.textContent.slice(0, 30)} ${contrast.toFixed(2)}`,
      );
  }
  return found;
};
