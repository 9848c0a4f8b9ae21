// Cells and pieces as SVG, in coordinates where a cell is one unit wide. This module knows no games.

import { s } from "./dom.js";
import { signed, t } from "./words.js";

export const BLANK = "?"; // the text of what is not seen: a card face down, a covered die, a cell in fog
export const FLAT = new Set(["text", "cross", "ring"]); // what lies over the pieces of a cell, not beside them
const WORDED = new Set(["card", "die", "text"]); // pieces that draw their own text
const COLOURS = [
  [/^(black|negr)/i, "black"],
  [/^(white|blanc)/i, "white"],
  [/^(red|roj)/i, "red"],
  [/^(yellow|amarill)/i, "yellow"],
  [/^(blue|azul)/i, "blue"],
  [/^(green|verde)/i, "green"],
];
const OTHERWISE = ["red", "blue", "green", "yellow", "black", "white"];
const ON_BLUE = ["red", "yellow", "green", "black", "white"]; // colours on a blue board

export function sideColours({ sides, board }) {
  const otherwise = board?.areas.some(({ tone }) => tone === "frame") ? ON_BLUE : OTHERWISE;
  return sides.map(
    (name, side) =>
      COLOURS.find(([pattern]) => pattern.test(name))?.[1] ?? otherwise[side % otherwise.length],
  );
}

/** Return the colour of a piece: its own, or that of its side. */
export const colourOf = ({ colour, side }, view) => colour || (sideColours(view)[side] ?? "nobody");

/** Return a piece in words: whose it is, its shape, and what is written on it. */
export function pieceName({ shape, side, colour, text, count }, sides) {
  const what = WORDED.has(shape)
    ? text || shapeName(shape)
    : [shapeName(shape), text].filter(Boolean).join(" ");
  const own = colourName(colour);
  const named = side in sides || !own ? [sides[side], what] : [t("{0} {1}", own, what)];
  return [...named, count || ""].filter(Boolean).join(" ");
}

function colourName(colour) {
  const known = {
    black: t("black"),
    white: t("white"),
    red: t("red"),
    blue: t("blue"),
    green: t("green"),
    yellow: t("yellow"),
  };
  return known[colour];
}

/** Return the word for a shape, with its qualities; the symbols of a board have their own names. */
export function shapeName(shape) {
  const qualities = {
    small: t("small"),
    hollow: t("hollow"),
    dotted: t("dotted"),
    barred: t("barred"),
  };
  const [first, ...rest] = shape.split(" ");
  if (rest.length && first in qualities) return t("{0} {1}", qualities[first], shapeName(rest.join(" ")));
  if (first === "level") return t("level {0}", rest[0]);
  const known = {
    triangle: t("triangle"),
    diamond: t("diamond"),
    hexagon: t("hexagon"),
    star: t("star"),
    disc: t("disc"),
    ring: t("ring"),
    cross: t("cross"),
    square: t("square"),
    die: t("die"),
    card: t("card"),
    text: "",
  };
  return known[shape] ?? shape;
}

export function drawCell({ x, y, shape, size }) {
  if (shape === "square") return s("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size });
  if (shape === "hexagon") return s("polygon", { points: hexagon(x, y, size / Math.sqrt(3)) });
  if (shape === "across" || shape === "down") return slot(x, y, size, 0.14 * size, shape === "down");
  if (shape === "point") return s("circle", { cx: x, cy: y, r: 0.05 * size });
  return s("circle", { cx: x, cy: y, r: size / 2 });
}

/** Return the place of a line between two dots. */
function slot(x, y, long, wide, isDown, given = {}) {
  const [w, h] = isDown ? [wide, long] : [long, wide];
  return s("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: Math.min(w, h) / 2, ...given });
}

const hexagon = (x, y, r) =>
  [30, 90, 150, 210, 270, 330]
    .map((degrees) => (degrees * Math.PI) / 180)
    .map((angle) => `${(x + r * Math.cos(angle)).toFixed(3)},${(y + r * Math.sin(angle)).toFixed(3)}`)
    .join(" ");

const REACHED = new Set(["point", "none", "across", "down"]); // cells that are smaller than what a finger touches

/** Return the invisible part of a cell that can be touched, if the cell itself is small. */
export function drawReach({ x, y, shape, size, rise }) {
  if (!REACHED.has(shape)) return null;
  if (shape === "across" || shape === "down")
    return slot(x, y, size, 0.5 * size, shape === "down", { class: "hit" });
  if (!rise) return s("circle", { cx: x, cy: y, r: 0.5 * size, class: "hit" });
  const long = Math.abs(rise) * (STACK - 1);
  return s("rect", {
    x: x - size / 2,
    y: y - size / 2 - (rise < 0 ? long : 0),
    width: size,
    height: size + long,
    class: "hit",
  });
}

export const write = (x, y, size, text, css) =>
  s("text", { x, y: y + size * 0.35, "font-size": size, class: css }, text);

const STACK = 5; // pieces of a stack that are drawn; in a larger stack the last one shows the number

/** Return a piece with its centre at (x, y), or a stack of pieces that begins there. */
export function drawPiece(piece, x, y, cell, colour, symbols) {
  if (!cell.rise || piece.count < 1) return drawOne(piece, x, y, cell, colour, symbols);
  const high = Math.min(piece.count, STACK);
  const each = [...Array(high).keys()].map((place) =>
    drawOne(
      { ...piece, count: place === STACK - 1 && piece.count > STACK ? piece.count : 0 },
      0,
      place * cell.rise,
      cell,
      colour,
      symbols,
    ),
  );
  return s("g", { class: "stack", transform: `translate(${x} ${y})` }, each);
}

/** Return a small picture of a symbol, for a button or a line of text. */
export const smallPiece = (shape, colour, symbols) =>
  s(
    "svg",
    { class: `small-piece piece symbol ${colour}`, viewBox: "0 0 100 100", "aria-hidden": "true" },
    s("path", { d: symbols[shape] }),
  );

function drawOne(piece, x, y, cell, colour, symbols) {
  const size = cell.size;
  const made = s("g", {
    class: `piece ${piece.shape in symbols ? "symbol" : piece.shape} ${colour}`,
    transform: `translate(${x} ${y})`,
  });
  const draw = Object.hasOwn(DRAW, piece.shape) && DRAW[piece.shape];
  if (draw) made.append(...draw(size, piece, cell));
  else if (piece.shape in symbols)
    made.append(
      s("path", { d: symbols[piece.shape], transform: `scale(${0.0088 * size}) translate(-50 -50)` }),
    );
  const words = (WORDED.has(piece.shape) ? "" : piece.text) || (piece.count ? String(piece.count) : "");
  if (words && piece.shape !== "die")
    made.append(write(0, 0, Math.min(0.38, 0.8 / words.length) * size, words, "count"));
  return made;
}

const DRAW = {
  disc: (size, _piece, cell) => {
    const r = size * (cell.shape === "circle" || cell.shape === "point" ? 0.46 : 0.4);
    return [s("circle", { r }), s("circle", { r: r * 0.68, class: "rim" })];
  },
  ring: (size) => [s("circle", { r: 0.3 * size })],
  cross: (size) => [
    s("path", {
      d: `M${-0.26 * size} ${-0.26 * size}l${0.52 * size} ${0.52 * size}m0 ${-0.52 * size}l${-0.52 * size} ${0.52 * size}`,
    }),
  ],
  square: (size) => [
    s("rect", { x: -0.34 * size, y: -0.34 * size, width: 0.68 * size, height: 0.68 * size, rx: 0.06 }),
  ],
  die: (size, piece) => [
    s("rect", { x: -0.36 * size, y: -0.36 * size, width: 0.72 * size, height: 0.72 * size, rx: 0.14 * size }),
    ...Array.from(SPOTS[piece.count] ?? "", (place) =>
      s("circle", {
        cx: 0.2 * size * ((place % 3) - 1),
        cy: 0.2 * size * (Math.floor(place / 3) - 1),
        r: 0.068 * size,
        class: "spot",
      }),
    ),
    piece.count in SPOTS && !piece.text
      ? ""
      : write(0, 0, 0.4 * size, piece.text || String(piece.count), "count"),
  ],
  card: (_size, piece, cell, size = cardSize(cell)) =>
    piece.text === BLANK
      ? [sheet(size, "back"), s("path", { d: lattice(0.11 * size, 0.12 * size), class: "lattice" })]
      : [
          sheet(size, "sheet"),
          write(
            0,
            0,
            Math.min(0.36, 0.56 / Math.max(1, piece.text.length)) * size,
            piece.text,
            /[♥♦]/.test(piece.text) ? "face hot" : "face",
          ),
        ],
  text: (size, piece, cell) =>
    piece.text === BLANK && cell.shape !== "point" && cell.shape !== "none"
      ? [s("g", { class: "fog" }, drawCell({ ...cell, x: 0, y: 0 }))]
      : [write(0, 0, Math.min(0.42, 1.3 / Math.max(1, piece.text.length)) * size, piece.text, "face")],
};

/** Return the size of a card: in a hand, where no cell is drawn, the cards stand side by side. */
const cardSize = ({ shape, size }) => (shape === "none" ? 1.4 : 1) * size;

const sheet = (size, css) =>
  s("rect", {
    class: css,
    x: -0.3 * size,
    y: -0.42 * size,
    width: 0.6 * size,
    height: 0.84 * size,
    rx: 0.07 * size,
  });

const LOZENGES = [-1, 1]
  .flatMap((x) => [-2, 0, 2].map((y) => [x, y]))
  .concat([
    [0, -1],
    [0, 1],
  ]);
const lattice = (w, h) =>
  LOZENGES.map(([x, y]) => `M${x * w} ${(y - 1) * h}l${w} ${h}l${-w} ${h}l${-w} ${-h}Z`).join("");

const SPOTS = ["", "4", "08", "048", "0268", "02468", "023568"]; // of nine places, row by row

/** Return the mark of a cell that can be touched: a dot, or a ring around what stands there; `taken` is its shape. */
export const drawTarget = (cell, taken, small) =>
  taken === "card"
    ? s("g", { transform: `translate(${cell.x} ${cell.y})` }, sheet(cardSize(cell), "take"))
    : drawDot(cell, taken, small);

const drawDot = ({ x, y, size }, taken, small) =>
  taken
    ? s("circle", { cx: x, cy: y, r: 0.44 * size, class: "take" })
    : s("circle", { cx: x, cy: y, r: Math.max(0.08, Math.min(0.13, 0.6 * small)) * size, class: "dot" });

/** Return the mark of the last move, above the piece, for a cell that the piece covers. */
export function drawLast({ x, y, shape, size, rise }, piece) {
  if (shape !== "point" && shape !== "none") return "";
  const top = y + (rise && piece?.count ? (Math.min(piece.count, STACK) - 1) * rise : 0);
  const r = (!piece ? 0.16 : piece.count && !rise ? 0.44 : 0.13) * size; // a number stays readable
  return s("circle", { cx: x, cy: top, r, class: piece && r < 0.2 * size ? "last-mark" : "last-mark open" });
}

/** Return the colour of a cell in which something may lie, and how likely that is; `deep` is from 0 to 1. */
export function drawHeat(cell, heat, deep) {
  const shape = cell.shape === "point" || cell.shape === "none" ? "" : cell.shape;
  const [paper, colour] = [drawCell({ ...cell, shape }), drawCell({ ...cell, shape })];
  paper.setAttribute("class", "paper");
  colour.style.fillOpacity = 0.85 * deep;
  const { x, y, size } = cell;
  return s("g", {}, paper, colour, write(x, y - 0.3 * size, 0.2 * size, `${Math.round(100 * heat)} %`, ""));
}

/** Return the value of a move, or its `share` of a strategy, where it ends. */
export function drawValue({ x, y, size }, { value, text: written, expectation, share }) {
  const isShare = share != null;
  const text = isShare ? `${Math.round(100 * share)} %` : (written ?? signed(value));
  const wide = Math.max(0.5, 0.17 * text.length + 0.16);
  const place = isShare ? `translate(${x} ${y + 0.22 * size}) scale(${0.8 * size})` : `translate(${x} ${y})`;
  return s(
    "g",
    { class: `value ${isShare ? "of-strategy" : `e${valueClass(expectation)}`}`, transform: place },
    s("rect", { x: -wide / 2, y: -0.2, width: wide, height: 0.4, rx: 0.1 }),
    write(0, 0, 0.27, text, ""),
  );
}

/** Return the class of a share of a win, from 0 (lost) to 4 (won), for its colour. */
export const valueClass = (expectation) => Math.min(4, Math.floor((expectation ?? 0.5) * 5));

export function drawArrow(from, to, css) {
  if (!to) {
    const ring = { cx: from.x, cy: from.y, r: 0.42 * from.size };
    return s(
      "g",
      {},
      s("circle", { ...ring, class: "halo" }),
      s("circle", { ...ring, class: `ring-mark ${css}` }),
    );
  }
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const at = (along, aside) =>
    `${(from.x + ux * along - uy * aside).toFixed(3)} ${(from.y + uy * along + ux * aside).toFixed(3)}`;
  const tip = length - 0.12;
  const neck = Math.max(tip - 0.34, 0.1);
  return s("path", {
    class: `arrow ${css}`,
    d: `M${at(0.25, 0.07)}L${at(neck, 0.07)}L${at(neck, 0.2)}L${at(tip, 0)}L${at(neck, -0.2)}L${at(neck, -0.07)}L${at(0.25, -0.07)}Z`,
  });
}
