// Example trees and random trees.

import { t } from "./words.js";

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

/** Return a tree with random leaves from 0 to `highest`. */
export function randomTree(branching, depth, highest = 20) {
  const grow = (left) =>
    left
      ? Array.from({ length: branching }, () => grow(left - 1))
      : Math.floor(Math.random() * (highest + 1));
  return JSON.stringify(grow(depth));
}

const MOST_LEAVES = 50_000; // their text is short enough for a question
const DEEPEST = 14;

export const deepest = (branching) =>
  branching < 2 ? DEEPEST : Math.min(DEEPEST, Math.floor(Math.log(MOST_LEAVES) / Math.log(branching)));
