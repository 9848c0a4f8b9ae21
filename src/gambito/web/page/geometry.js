// The geometry of a board as it is shown: where its parts are, turned if the board is turned.

const EDGE = 0.04; // space around the board

/** Return the parts of a board, the box around them, and the size of small texts. */
export function layOut({ width, height, cells, lines, areas, labels, dots = [] }, isTurned) {
  const turn = (x, y) => (isTurned ? [width - x, height - y] : [x, y]);
  const isBeside = ({ x }) => x < 0 || x > width;
  const isBoth = labels.some(({ x }) => x < 0) && labels.some(({ x }) => x > width); // they swap places
  const placed = labels.map((label) => {
    const [x, y] = turn(label.x, label.y);
    return {
      x: isBeside(label) && !isBoth ? label.x : x,
      y: label.y < 0 || label.y > height ? label.y : y,
      text: label.text,
    };
  });
  const small = Math.max(0.12, Math.min(0.3, 0.03 * Math.max(width, height))); // about the same on every board
  const reach = ({ text }) => small * Math.max(1, 0.3 * text.length); // half the width of a label
  const ground = areas.map(({ tone, points }) => ({ tone, points: pairs(points).map((p) => turn(...p)) }));
  const corners = ground.flatMap(({ points }) => points);
  const xs = [0, width, ...corners.map(([x]) => x)];
  const ys = [0, height, ...corners.map(([, y]) => y)];
  const left = Math.min(...xs, ...placed.map((label) => label.x - reach(label))) - EDGE;
  const right = Math.max(...xs, ...placed.map((label) => label.x + reach(label))) + EDGE;
  const top = Math.min(...ys, ...placed.map(({ y }) => y - small)) - EDGE;
  const bottom = Math.max(...ys, ...placed.map(({ y }) => y + small)) + EDGE;
  return {
    cells: cells.map((cell) => {
      const [x, y] = turn(cell.x, cell.y);
      return { ...cell, x, y, rise: isTurned ? -cell.rise : cell.rise };
    }),
    lines: lines.map(([a, b, c, d]) => [turn(a, b), turn(c, d)]),
    areas: ground.map(({ tone, points }) => ({ tone, points: points.map((p) => p.join()) })),
    dots: dots.map((dot) => turn(...dot)),
    labels: placed,
    box: { left, top, width: right - left, height: bottom - top },
    small,
  };
}

const pairs = (numbers) => numbers.flatMap((x, place) => (place % 2 ? [] : [[x, numbers[place + 1]]]));

export function neighbour(cells, from, dx, dy) {
  let [best, least] = [from, Infinity];
  cells.forEach((cell, number) => {
    const [x, y] = [cell.x - cells[from].x, cell.y - cells[from].y];
    const along = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    const cost = along + 2.5 * aside;
    if (along > 0.05 && aside <= along * 1.8 && cost < least) [best, least] = [number, cost];
  });
  return best;
}
