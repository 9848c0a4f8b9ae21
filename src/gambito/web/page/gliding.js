// How pieces get to their places: along the cells of a move, down a column, or by appearing.

import { s } from "./dom.js";
import { arrowsOf } from "./moving.js";

const [BEGIN, PER_CELL, MOST] = [120, 30, 900]; // milliseconds: of every move, for each cell, in all

/** Return the trips of a move: the cells that each piece passes, joined where it goes on. */
export function tripsOf(move) {
  return arrowsOf(move).reduce((trips, arrow) => {
    const last = trips.at(-1);
    if (last?.length > 1 && arrow.length > 1 && last.at(-1) === arrow[0]) last.push(...arrow.slice(1));
    else trips.push([...arrow]);
    return trips;
  }, []);
}

/** Let the pieces of the last move come from where they were, and let those that were taken fade. */
export function glide(layer, cells, played, gone) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  let longest = 0;
  for (const trip of tripsOf(played)) {
    const way = trip.length > 1 ? trip : [highest(played.touch[0] ?? trip, cells), trip[0]];
    const points = way.map((cell) => cells[cell]);
    if (points.some((point) => !point)) continue;
    longest = Math.max(longest, along(pieceAt(layer, points.at(-1)), points));
  }
  for (const ghost of gone) {
    layer.prepend(ghost);
    ghost.animate({ opacity: [1, 1, 0] }, longest || BEGIN).finished.then(
      () => ghost.remove(),
      () => ghost.remove(),
    );
  }
}

const highest = (step, cells) => step.reduce((a, b) => (cells[b]?.y < cells[a]?.y ? b : a));

/** Return the upper piece of a cell. */
export function pieceAt(layer, { x, y }) {
  const found = [...layer.children].findLast(
    (each) => each.getAttribute("transform") === `translate(${x} ${y})`,
  );
  return found?.classList.contains("stack") ? found.lastElementChild : found;
}

/** Move a piece through points to where it is; return how long that takes. */
function along(piece, points) {
  const end = points.at(-1);
  const steps = points.map(({ x, y }) => `translate(${x - end.x}px, ${y - end.y}px)`);
  const lengths = points
    .slice(1)
    .map(({ x, y }, place) => Math.hypot(x - points[place].x, y - points[place].y));
  const length = lengths.reduce((a, b) => a + b, 0);
  const duration = Math.min(MOST, BEGIN * lengths.length + PER_CELL * length);
  for (const part of piece?.children ?? []) {
    if (length) part.animate({ transform: steps }, { duration, easing: "ease-in-out" });
    else part.animate({ opacity: [0, 1] }, BEGIN);
  }
  return duration;
}

/** Return what fades: pieces that were on the board and have left it, where nothing stands now. */
export function leavers(before, after, draw) {
  const taken = new Set(after.map(({ cell }) => cell));
  return before
    .filter(({ cell, shape }) => !taken.has(cell) && shape !== "text" && shape !== "die")
    .map((piece) => s("g", { class: "leaver" }, draw(piece)));
}

/** Return the name of the sound of a move. */
export const soundOf = ({ over, pieces }, before) =>
  over ? "end" : pieces.length < before.length ? "take" : "move";
