// The settings of a game, before it or during it: the game, the players, the clock.

import "./choose.js";
import { LONGEST } from "./clock.js";
import { h, toast } from "./dom.js";
import { openFiles } from "./files.js";
import { match } from "./match.js";
import { sideColours } from "./pieces.js";
import { Lost } from "./server.js";
import { t } from "./words.js";

export class SetUp {
  /** `begin(game, isAgain)`, `seat(side, player)` and `wind(clock)` are called with the user's choices;
      `dialogs` asks for what dialogs need. */
  constructor(calls) {
    this.calls = calls;
    this.picker = h("g-game", { onchoose: () => calls.begin(this.picker.value) });
    this.seats = h("div", { class: "stack" });
    this.clock = h("div", { class: "fields" });
    this.element = h(
      "section",
      { class: "setup panel stack", "aria-label": t("Setup") },
      this.picker,
      this.seats,
      this.clock,
      h(
        "div",
        { class: "stack tight" },
        h(
          "button",
          { type: "button", class: "main", onclick: () => calls.begin(match.game, true) },
          t("New game"),
        ),
        h(
          "button",
          {
            type: "button",
            onclick: () =>
              openFiles(this.game, calls.dialogs).catch(
                (problem) => problem instanceof Lost || toast(problem.message, true),
              ),
          },
          t("Position and game…"),
        ),
        h("a", { class: "button quiet", href: "#/analyse" }, t("Analyse this game")),
      ),
    );
  }

  show(catalogue, game, seats, clock, view) {
    this.game = game;
    this.picker.show(catalogue.games, match.game);
    const names = seats.map((_, side) => view?.sides[side] ?? t("Player {0}", side + 1));
    const colours = sideColours({ sides: names, board: view?.board });
    this.seats.replaceChildren(
      ...seats.map((seat, side) => {
        const picker = h("g-player", { onchoose: () => this.calls.seat(side, picker.value) });
        picker.show(catalogue, game, seat, names[side]);
        return h(
          "div",
          { class: "field seat" },
          h(
            "span",
            {},
            h("i", { class: `swatch ${colours[side]}` }),
            h("span", { class: "name" }, names[side]),
          ),
          picker,
        );
      }),
    );
    const number = (value) =>
      h("input", {
        type: "number",
        min: "0",
        max: LONGEST,
        step: "any",
        value: clock.isOn ? value : "",
        placeholder: "–",
        onchange: () => this.#wind(),
      });
    [this.minutes, this.increment] = [number(clock.text.split("+")[0]), number(clock.increment)];
    this.clock.replaceChildren(
      h("label", {}, h("span", {}, t("Clock: minutes")), this.minutes),
      h("label", {}, h("span", {}, t("Seconds per move")), this.increment),
    );
  }

  #wind() {
    const minutes = Number(this.minutes.value);
    this.calls.wind(minutes > 0 ? `${minutes}+${Number(this.increment.value) || 0}` : "");
  }
}
