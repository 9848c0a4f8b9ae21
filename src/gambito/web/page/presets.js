// Example trees and random trees.

import { t } from "./words.js";

/** Return the textbook trees: names and positions. */
export const presets = () => [
  [t("Two plies, Russell and Norvig"), "[[3,12,8],[2,4,6],[14,5,2]]"],
  [
    t("Three plies, lecture"),
    "[[[8,7,3],[9,1,6],[2,4,1]],[[1,3,5],[3,9,2],[6,5,2]],[[1,2,3],[9,7,2],[16,6,4]]]",
  ],
  [t("A deep cut-off"), "[5,[[[4,9],7],8]]"],
  [t("Best order: as many cut-offs as possible"), "[[[5,4],[6,2]],[[3,1],[9,7]]]"],
  [t("Worst order: no cut-offs"), "[[[3,4],[1,2]],[[7,8],[5,6]]]"],
];

/** Return a tree with the same number of branches at every node and random leaves from 0 to `highest`. */
export function randomTree(branching, depth, highest = 20) {
  const grow = (left) =>
    left
      ? Array.from({ length: branching }, () => grow(left - 1))
      : Math.floor(Math.random() * (highest + 1));
  return JSON.stringify(grow(depth));
}

/** Return the maximum depth of a random tree with this number of branches. */
export const deepest = (branching) =>
  Math.max(1, Math.floor(Math.log(20_000) / Math.log(Math.max(2, branching))));
