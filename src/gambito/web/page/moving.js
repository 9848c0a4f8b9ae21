// What a move does to the pieces, as far as the cells that it touches tell.

const FIXED = new Set(["text", "die", "card"]); // what stands on a cell and is no piece of a player

/** Return the orders in which the cells of a move may be touched; each step lists the cells that will do. */
export const waysOf = ({ touch, others = [] }) => [touch, ...others];

/** Return the ways to touch moves that begin with these cells: pairs of the move and its steps. */
export const waysFrom = (actions, path) =>
  actions.flatMap((action) =>
    waysOf(action)
      .filter((way) => way.length && path.every((cell, step) => way[step]?.includes(cell)))
      .map((way) => [action, way]),
  );

/** Return the actions that consist of exactly these cells. */
export function completeBy(actions, path) {
  const whole = waysFrom(actions, path).filter(([, way]) => way.length === path.length);
  return [...new Set(whole.map(([action]) => action))];
}

/** Return what a move does: [from, to] moves a piece, [cell] puts one. */
export function arrowsOf({ touch, arrows }) {
  if (arrows) return arrows;
  const cells = touch.map((step) => step[0]);
  return cells.length > 1
    ? cells.slice(1).map((to, place) => [cells[place], to])
    : cells.map((cell) => [cell]);
}

/** Return what shows a move: its arrows, and the other cells that it touches. */
export function signsOf(move) {
  const arrows = arrowsOf(move);
  const others = move.touch.map((step) => step[0]).filter((cell) => !arrows.flat().includes(cell));
  return [...arrows, ...others.map((cell) => [cell])];
}

/** Return the pieces after the part of a move that is touched. `actions` are those that fit the touches. */
export function halfMoved(view, actions, path) {
  const does = (...arrow) =>
    actions.some((action) => arrowsOf(action).some((each) => each.join() === arrow.join()));
  return path.reduce((pieces, cell, place) => {
    if (place && does(path[place - 1], cell)) return moved(view, pieces, path[place - 1], cell);
    return does(cell) ? put(view, pieces, cell) : pieces;
  }, view.pieces);
}

/** Return the position after a move, as far as the cells tell it; null if the move is unknown. */
export function expected(view, move) {
  const action = view.actions.find((each) => each.move === move);
  if (!action) return null;
  const arrows = arrowsOf(action);
  const lost = new Set(action.touch.map((step) => step[0]));
  for (const cell of arrows.flat()) lost.delete(cell);
  const pieces = arrows.reduce(
    (now, [from, to]) => (to === undefined ? put(view, now, from) : moved(view, now, from, to)),
    view.pieces.filter(({ cell }) => !lost.has(cell)),
  );
  const played = [...view.played, { ...action, player: view.player }];
  return { ...view, pieces, played, ply: view.ply + 1, actions: [], isExpected: true };
}

/** Move the upper piece of a cell to another one, where it takes what belongs to others. */
function moved({ board, player }, pieces, from, to) {
  const isThere = (cell) => (piece) => piece.cell === cell && !FIXED.has(piece.shape) && !piece.base;
  const piece = pieces.findLast(isThere(from)) ?? pieces.findLast((each) => each.cell === from && !each.base);
  if (!piece || from === to) return pieces;
  const isStack = board.cells[from].rise || board.cells[to].rise; // else a count is not a height
  const rest = pieces.filter((each) => each !== piece);
  const under = isStack && rest.find((each) => isThere(to)(each) && each.side === piece.side);
  const left = isStack && piece.count > 1 ? [{ ...piece, count: piece.count - 1 }] : [];
  const kept = rest.filter((each) => each !== under && !(isThere(to)(each) && each.side !== player));
  const count = isStack ? (under?.count ?? 0) + 1 : piece.count;
  return [...kept, ...left, { ...piece, cell: to, count }];
}

/** Put a piece of the player on an empty cell, if the player's other pieces show its shape. */
function put(view, pieces, cell) {
  const isTaken = pieces.some((piece) => piece.cell === cell && !piece.base);
  const like = likeIn(view, pieces, cell);
  return isTaken || !like ? pieces : [...pieces, { ...like, cell, count: 0 }];
}

/** Return a piece like the one that the player would put on a cell, if one of that kind is on the board. */
export function likeIn({ board, player }, pieces, cell) {
  const { shape, size } = board.cells[cell];
  const isAlike = (place) => board.cells[place].shape === shape && board.cells[place].size === size;
  const pieceful = pieces.filter((piece) => !FIXED.has(piece.shape) && !piece.base);
  const fitting = pieceful.filter((piece) => isAlike(piece.cell));
  const isLine = shape === "across" || shape === "down"; // nobody owns a line
  if (isLine) return fitting.at(-1);
  return [fitting, pieceful].map((some) => some.findLast(({ side }) => side === player)).find(Boolean);
}
