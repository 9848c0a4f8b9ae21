// Puzzles in Play: a position to begin with, and how far a solution is from the shortest one.

import { match } from "./match.js";
import { ask, stream } from "./server.js";
import { lang, t } from "./words.js";

const SOLVER = { algorithm: "a-star", seconds: 10 }; // finds the shortest solution, if it is in reach

/** Return a position of a puzzle to begin with; "" if there is none. */
export async function shuffled(game) {
  try {
    return (await ask("shuffle", { game })).start;
  } catch {
    return "";
  }
}

/** Compare what the moves have cost with the least; return a sentence, or "" if the least is not known. */
export async function compare(cost) {
  const { found } = await stream("go", { ...match.at(0), player: SOLVER }).done;
  if (!found?.exact) return "";
  const [made, least] = [cost, -found.value].map((number) => number.toLocaleString(lang));
  return cost === match.moves.length
    ? t("You made {0} moves; the least is {1}.", made, least)
    : t("Your way cost {0}; the least is {1}.", made, least);
}
