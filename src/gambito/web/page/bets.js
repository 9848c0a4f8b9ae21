// Moves as buttons; the sizes of a bet are one button with a slider.

import { h } from "./dom.js";
import { nameOf, t } from "./words.js";

const SIZED = /^((bet|raise) [0-9]+|all-in)$/;

/** Return a button for each move, and behind them one for all bets, whose slider goes from the smallest to all-in. */
export function moveButtons(moves, isActive, play) {
  const bets = moves.filter((move) => SIZED.test(move));
  const single = bets.length > 1 ? moves.filter((move) => !bets.includes(move)) : moves;
  const buttons = single.map((move) =>
    h("button", { type: "button", disabled: !isActive, onclick: () => play(move) }, nameOf(move)),
  );
  return bets.length > 1 ? [...buttons, sliderOf(bets, isActive, play)] : buttons;
}

function sliderOf(bets, isActive, play) {
  const chosen = () => bets[Number(slider.value)];
  const button = h(
    "button",
    { type: "button", disabled: !isActive, onclick: () => play(chosen()) },
    nameOf(bets[0]),
  );
  const tell = () => {
    button.textContent = nameOf(chosen());
    slider.setAttribute("aria-valuetext", nameOf(chosen()));
  };
  const slider = h("input", {
    type: "range",
    min: 0,
    max: bets.length - 1,
    step: 1,
    value: 0,
    disabled: !isActive,
    "aria-label": t("Size of the bet"),
    "aria-valuetext": nameOf(bets[0]),
    oninput: tell,
  });
  return h("span", { class: "row bet" }, slider, button);
}
