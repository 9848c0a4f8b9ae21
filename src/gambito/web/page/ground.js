// What does not change on a board while a game is played: its wood, areas, lines, dots, labels; and the marks on it.

import { s } from "./dom.js";
import { write } from "./pieces.js";

/** Return the areas and lines below the cells, and the dots and labels above them. */
export function drawGround({ areas, cells, lines, dots, labels, small }) {
  const isWooden = [...areas, ...cells].some(({ tone }) => tone === "wood");
  return [
    s("g", { class: "ground" }, isWooden ? grain() : null, ...areas.map(drawArea)),
    s(
      "g",
      { class: "joints" },
      lines.map(([p, q]) => s("line", { x1: p[0], y1: p[1], x2: q[0], y2: q[1], class: "joint" })),
    ),
    s(
      "g",
      { class: "labels" },
      dots.map(([x, y]) => s("circle", { cx: x, cy: y, r: 0.1, class: "star" })),
      labels.map(({ x, y, text }) => write(x, y, small, text, "")),
    ),
  ];
}

/** Return the classes that tell what a board is made of. */
export const materials = ({ areas, cells }) =>
  [...new Set([...areas, ...cells].map(({ tone }) => `on-${tone}`))].join(" ");

function drawArea({ tone, points }) {
  const corners = points.join(" ");
  const plain = s("polygon", { class: `area ${tone}`, points: corners });
  return tone === "wood" ? s("g", {}, plain, s("polygon", { points: corners, fill: "url(#grain)" })) : plain;
}

/** The grain of wood, and the light on its stones. */
const grain = () =>
  s(
    "defs",
    {},
    s(
      "pattern",
      { id: "grain", width: 7.3, height: 1.9, patternUnits: "userSpaceOnUse" },
      s("path", {
        class: "grain",
        d: "M0 .2q1.8 .12 3.6 0t3.7 0M0 .7q2 -.14 4 0t3.3 0M0 1.15q1.2 .1 3 0t4.3 0M0 1.6q2.4 .08 4.6 0t2.7 0",
      }),
    ),
    ["black", "white"].map((side) =>
      s(
        "radialGradient",
        { id: `${side}-stone`, cx: "35%", cy: "30%", r: "75%" },
        s("stop", { offset: "0", class: `${side}-light` }),
        s("stop", { offset: "1", class: `${side}-shade` }),
      ),
    ),
  );

/** Return what a game says about cells: what lies below the pieces, and what lies above them. */
export function drawMarks(marks, cells, colours) {
  const known = marks.filter((mark) => mark.cells.every((cell) => cells[cell]));
  const of = (kind, draw) =>
    known
      .filter((mark) => mark.kind === kind)
      .flatMap((mark) =>
        draw(
          mark.cells.map((cell) => cells[cell]),
          mark,
        ),
      );
  return {
    below: of("own", (owned, { side }) =>
      owned.map(({ x, y, size }) =>
        s("rect", {
          class: `own ${colours[side] ?? "nobody"}`,
          x: x - 0.15 * size,
          y: y - 0.15 * size,
          width: 0.3 * size,
          height: 0.3 * size,
        }),
      ),
    ),
    above: [
      ...of("must", (starts) =>
        starts.map(({ x, y, size }) => s("circle", { class: "must", cx: x, cy: y, r: 0.45 * size })),
      ),
      ...of("line", (line) => {
        const points = line.map(({ x, y }) => `${x},${y}`).join(" ");
        return [s("polyline", { class: "won-halo", points }), s("polyline", { class: "won", points })];
      }),
    ],
    checked: new Set(known.filter(({ kind }) => kind === "check").flatMap((mark) => mark.cells)),
  };
}
