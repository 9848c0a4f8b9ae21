// Asks an exported game in Node: `node ask.mjs FOLDER CASES`, where CASES is JSON: positions by their actions, and
// the searches to run in each. Prints what the game says, as JSON.

import { pathToFileURL } from "node:url";

const [, , folder, cases] = process.argv;
const { load, GameError } = await import(`${pathToFileURL(folder).href}/game.js`);
const game = await load();
const asked = JSON.parse(cases);

const told = asked.positions.map((actions) => {
  const position = actions.reduce((now, action) => game.play(now, action), game.start());
  const over = game.isOver(position);
  return {
    actions: game.actions(position),
    key: String(game.key(position)),
    mover: game.mover(position),
    over,
    utilities: Array.from({ length: game.players }, (_, player) => game.utility(position, player)),
    moves: game.moves(position).map(({ action, name, touch }) => [action, name, touch]),
    found: over
      ? []
      : asked.searches.map((limits) => {
          const { value, nodes, line, depth, proven } = game.searchNow(position, { ...limits, forget: true });
          return { value, nodes, line, depth, exact: proven };
        }),
  };
});

/** Numbers that look random, the same every time. */
function* random(seed) {
  let state = seed;
  while (true) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state;
  }
}

/** Wrong arguments: each call has to end in a GameError, or in an answer that the game may give. */
function abuse(count) {
  const numbers = random(7);
  const next = () => numbers.next().value;
  const start = game.start();
  const strange = [
    () => start,
    () => new Uint8Array(next() % 200),
    () => Uint8Array.from({ length: start.length }, next),
    () => start.map((byte, place) => (place === next() % start.length ? byte ^ (1 << next() % 8) : byte)),
    () => [null, undefined, 7, "text", [], {}, NaN][next() % 7],
  ];
  const number = () => [next() % 100, -next(), next() * 2 ** 31, 0.5, NaN, Infinity, "3", null, undefined, 3n][next() % 10];
  const calls = [
    (p) => game.play(p, number()),
    (p) => game.actions(p),
    (p) => game.isOver(p),
    (p) => game.utility(p, number()),
    (p) => game.moves(p),
    (p) => game.read(p, String(number())),
    (p) => game.write(p, number()),
    (p) => game.outcomes(p),
    (p) => game.parse(`${number()} ${number()}`),
    (p) => game.text([number(), number()]),
    (p) => game.searchNow(p, { depth: 1 + (next() % 2), nodes: number(), algorithm: next() % 4 ? undefined : String(number()) }),
    (p) => game.searchNow(p, { depth: number(), nodes: 50, seed: number(), milliseconds: number() }),
    (p) => game.searchNow(p, { level: number(), nodes: 10 }),
  ];
  const codes = {};
  for (let call = 0; call < count; call++) {
    try {
      calls[next() % calls.length](strange[next() % strange.length]());
      codes.good = (codes.good ?? 0) + 1;
    } catch (problem) {
      if (!(problem instanceof GameError)) throw problem;
      codes[problem.code] = (codes[problem.code] ?? 0) + 1;
    }
  }
  return codes;
}

console.log(JSON.stringify({ told, codes: abuse(asked.abuse ?? 0) }));
