// Two algorithms on the same position, one after the other, so that they do not share the processor.

import { readPlayer } from "./choose.js";
import { h, icon, refill, rowHead, table, toast } from "./dom.js";
import { Asker, Lost } from "./server.js";
import { COUNTERS, lineOf } from "./thinking.js";
import { t } from "./words.js";

const LIMITS = ["depth", "seconds", "nodes"];

export class Comparison {
  #asker = new Asker();

  /** Calls `changed()` after a choice, `goTo(line, place)` after a click on a move, `begin()` before a search. */
  constructor(changed, goTo, begin) {
    Object.assign(this, { changed, begin });
    this.goTo = goTo;
    this.players = [];
    this.found = [null, null];
    this.pickers = [0, 1].map((place) => h("g-algorithm", { onchoose: () => this.#choose(place) }));
    this.runner = h("button", { type: "button", onclick: () => this.#run() });
    this.table = h("div", {});
    this.body = h(
      "details",
      { ontoggle: () => this.changed() },
      h("summary", {}, t("Two algorithms side by side")),
      h(
        "div",
        { class: "stack" },
        h("div", { class: "pair" }, this.pickers),
        h("div", { class: "row" }, this.runner),
        this.table,
      ),
    );
    this.element = h(
      "section",
      { class: "panel comparison", "aria-label": t("Two algorithms side by side") },
      this.body,
    );
    this.#drawRunner();
  }

  get isOpen() {
    return this.body.open;
  }

  setUp(catalogue, game, players) {
    const fits = game.algorithms;
    this.element.hidden = !fits.length;
    [this.catalogue, this.game] = [catalogue, game];
    if (players.length) this.body.open = true;
    const usual = ["alpha-beta", "engine"].map((name) => `${fits.includes(name) ? name : fits[0]}:seconds=1`);
    this.players = usual.map((text, place) => {
      const wanted = players[place] ?? this.players[place] ?? text;
      return fits.includes(readPlayer(wanted)?.algorithm) ? wanted : text;
    });
    this.#drawPickers();
  }

  look(asked, view) {
    this.stop();
    this.asked = asked;
    this.canRun = !view.over && view.player >= 0;
    this.found = [null, null];
    this.table.replaceChildren();
    this.#drawRunner();
  }

  stop() {
    this.#asker.drop();
    this.search = null;
  }

  #choose(place) {
    this.players[place] = this.pickers[place].value;
    this.#drawPickers();
    this.changed();
  }

  #drawPickers() {
    this.pickers.forEach((picker, place) => {
      picker.show(
        this.catalogue,
        this.game.algorithms,
        this.players[place],
        LIMITS,
        place ? t("Second algorithm") : t("First algorithm"),
      );
    });
  }

  async #run() {
    if (this.search) {
      this.stop();
      return this.#drawRunner();
    }
    this.begin();
    this.found = [null, null];
    for (const place of [0, 1]) {
      const hear = (found) => {
        if (found.phase) return;
        this.found[place] = found;
        this.#drawTable();
      };
      const player = readPlayer(this.players[place]);
      this.search = this.#asker.stream("go", { ...this.asked, player }, hear);
      this.#drawRunner();
      try {
        const { found, move } = await this.search.done;
        hear({ ...found, line: found?.line?.length ? found.line : [move] });
      } catch (problem) {
        if (problem instanceof Lost) return;
        toast(problem.message, true);
        break;
      }
    }
    this.search = null;
    this.#drawRunner();
  }

  #drawRunner() {
    this.runner.replaceChildren(icon(this.search ? "stop" : "play"), this.search ? t("Stop") : t("Compare"));
    this.runner.disabled = !this.canRun;
  }

  #drawTable() {
    const names = this.players.map((text) => readPlayer(text).algorithm);
    const row = ([name, read]) => [
      rowHead(name()),
      ...this.found.map((found) => (found ? String(read(found)) : "…")),
    ];
    refill(
      this.table,
      table("counters-table", ["", ...names], COUNTERS.map(row)),
      this.found.map((found, place) =>
        found?.line?.length
          ? h(
              "div",
              {},
              h("h2", {}, names[place]),
              lineOf(found.line, (at) => this.goTo(found.line, at)),
            )
          : "",
      ),
    );
  }
}
