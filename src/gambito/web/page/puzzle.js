// What Play asks about a puzzle: another position to begin with, and the least that a solution costs.

import { match } from "./match.js";
import { ask, stream } from "./server.js";
import { lang, t } from "./words.js";

const SOLVER = { algorithm: "a-star", seconds: 10 }; // finds the shortest solution, if it is in reach

/** Return a position to begin with; "": the first one. */
export async function shuffled(game) {
  try {
    return (await ask("shuffle", { game })).start;
  } catch {
    return "";
  }
}

/** Compare what a solution has cost with the least, in a sentence; null if the least is not found. */
export async function compare(cost) {
  const { found } = await stream("go", { ...match.at(0), player: SOLVER }).done;
  if (!found?.exact) return null;
  const [made, least] = [cost, -found.value].map((number) => number.toLocaleString(lang));
  return cost === match.moves.length
    ? t("You made {0} moves; the least possible is {1}.", made, least)
    : t("Your path cost {0}; the least possible is {1}.", made, least);
}
