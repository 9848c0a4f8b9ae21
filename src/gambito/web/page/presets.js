// Example trees, some with the algorithm and the depth that they are for, and random trees.

import { t } from "./words.js";

// What matters in a position of chess: Black, who is MAX, gives a check with a pawn or waits, and White takes
// the pawn, or goes for the bishop. Values are material.
const BISHOP = [
  '{"f3+":{"value":-2,"moves":{"Kxf3":{"value":-3,"moves":{"e4+":{"value":-3,',
  '"moves":{"Kxe4":{"value":-4,"moves":{"Kg7":{"value":-4,"moves":{"Ra1":{"value":-4,',
  '"moves":{"Kg8":{"value":-4,"moves":{"Rxa2":-7}}}}}}}}}},"Kg7":{"value":-3,',
  '"moves":{"Ra1":{"value":-3,"moves":{"e4+":{"value":-3,"moves":{"Kxe4":{"value":-4,',
  '"moves":{"Kg8":{"value":-4,"moves":{"Rxa2":-7}}}}}},"Kg8":{"value":-3,"moves":{"Rxa2":-6}}}}}}}}}},',
  '"Kg7":{"value":-2,"moves":{"Ra1":{"value":-2,"moves":{"f3+":{"value":-2,"moves":{"Kxf3":{"value":-3,',
  '"moves":{"e4+":{"value":-3,"moves":{"Kxe4":{"value":-4,"moves":{"Kg8":{"value":-4,',
  '"moves":{"Rxa2":-7}}}}}},"Kg8":{"value":-3,"moves":{"Rxa2":-6}}}}}},"Kg8":{"value":-2,',
  '"moves":{"Rxa2":-5}}}}}}}',
].join("");

export const presets = () => [
  [t("Two plies, Russell and Norvig"), "[[3,12,8],[2,4,6],[14,5,2]]"],
  [
    t("Three plies, lecture"),
    "[[[8,7,3],[9,1,6],[2,4,1]],[[1,3,5],[3,9,2],[6,5,2]],[[1,2,3],[9,7,2],[16,6,4]]]",
  ],
  [t("Leaves at several levels"), "[[8,[9,12]],[[3,11],5]]", "minimax"],
  [t("Four leaves: 2, 7, 1 and 8"), "[[2,7],[1,8]]", "alpha-beta"],
  [t("Leaves that need not be known"), "[[3,12,8],[2,null,null],[14,5,2]]", "alpha-beta"],
  [t("The upper bound: x is at least 10, and beta is 8"), "min [8,[10,null,null]]", "alpha-beta"],
  [t("The lower bound: x is at most 3, and alpha is 8"), "[8,[3,null,null]]", "alpha-beta"],
  [t("A deep cut-off"), "[5,[[[4,9],7],8]]"],
  [t("Best order: as many cut-offs as possible"), "[[[5,4],[6,2]],[[3,1],[9,7]]]"],
  [t("Worst order: no cut-offs"), "[[[3,4],[1,2]],[[7,8],[5,6]]]"],
  [t("Best node search: which of two subtrees is better?"), "[[9,7],[3,5]]", "bns:alpha=0,beta=10"],
  [
    t("B*: bounds of three actions"),
    '[{"bounds":[4,9],"moves":[7,5,9]},{"bounds":[1,6],"moves":[2,6,3]},{"bounds":[0,3],"moves":[1,3,0]}]',
    "b-star",
  ],
  [t("The horizon: two checks that seem to save a bishop"), BISHOP, "alpha-beta", "7"],
  [
    t("Coins: chance between the moves"),
    '[{"chance":[[0.5,[3,9]],[0.5,[4,8]]]},{"chance":[[0.5,[-9,9]],[0.5,[9,8,7]]]}]',
    "expectiminimax",
  ],
  [
    t("Two dice: doubles 1/36, the others 1/18"),
    '[{"chance":{"1-1":["1/36",9],"6-6":["1/36",-9],"doubles":["4/36",2],"others":["15/18",1]}},1]',
    "expectiminimax",
  ],
  [
    t("A scale that changes the choice: 2, 3 or 1, 4"),
    '[{"chance":[[0.9,2],[0.1,3]]},{"chance":[[0.9,1],[0.1,4]]}]',
    "expectiminimax",
  ],
  [
    t("The same order, another choice: 20, 30 or 1, 400"),
    '[{"chance":[[0.9,20],[0.1,30]]},{"chance":[[0.9,1],[0.1,400]]}]',
    "expectiminimax",
  ],
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
