// More about the position of Analyse: what the opponent threatens, who will own the board, arrows of one's own.
// It is loaded after the first position is there.

import { h, s, toast } from "./dom.js";
import { match } from "./match.js";
import { OpeningPanel } from "./opening.js";
import { Asker, Lost } from "./server.js";
import { signed, t } from "./words.js";

const SECONDS = 1;
const FAINT = 0.15; // below this share, nobody is said to own a cell

document.head.append(h("link", { rel: "stylesheet", href: "study.css" }));

export class Insight {
  #asker = new Asker(); // of the running question
  #threat = null; // the move that is threatened
  #owned = null; // who will own the cells
  #from = -1; // where an arrow of the user begins

  constructor(page) {
    this.page = page;
    const toggle = (name, words, title) =>
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          title,
          "aria-pressed": "false",
          onclick: () => this.#toggle(name),
        },
        words,
      );
    this.buttons = {
      threat: toggle("threat", t("Threat"), t("What the opponent would play if you passed")),
      opinions: toggle("opinions", t("Evaluations"), t("What each evaluation says without a search")),
      owners: toggle("owners", t("Territory"), t("Who will own the board, from random playouts")),
    };
    this.element = h("span", { class: "row insight" }, Object.values(this.buttons));
    this.opening = new OpeningPanel();
    page.believed.before(this.opening.element);
    const { board } = page;
    board.addEventListener("contextmenu", (event) => event.preventDefault());
    board.addEventListener("pointerdown", (event) => this.#press(event));
    board.addEventListener("pointerup", (event) => this.#release(event));
  }

  /** Show what belongs to the current position. What was asked about another one is forgotten. */
  show() {
    const { game } = this.page;
    this.opening.show(game);
    const key = JSON.stringify(match.at());
    if (key !== this.key) {
      this.drop();
      this.#threat = this.#owned = null;
      this.key = key;
    }
    if (this.isOwning && game.owned && !this.#owned && this.#asker.isIdle) this.#ask("owners");
    const { over, player } = this.page.view;
    this.buttons.threat.hidden = !game.passes || match.table != null;
    this.buttons.threat.disabled = over || player < 0;
    this.buttons.opinions.hidden = !game.opinions || match.table != null;
    this.buttons.opinions.setAttribute("aria-pressed", String(Boolean(this.isComparing)));
    this.#showOpinions();
    this.#showDeals();
    this.buttons.owners.hidden = !game.owned || match.table != null;
    this.buttons.threat.setAttribute("aria-pressed", String(this.#threat != null));
    this.buttons.owners.setAttribute("aria-pressed", String(Boolean(this.isOwning)));
    this.#paintOwners();
  }

  /** Nobody wants the answers any more. */
  drop() {
    this.#asker.drop();
    this.opinions?.drop();
    this.deals?.drop();
  }

  /** Return the arrows that are drawn beside those of the engine. */
  arrows() {
    const own = (match.note().arrows ?? []).map((cells) => ({
      touch: cells.map((cell) => [cell]),
      css: "own",
    }));
    return this.#threat ? [...own, { ...this.#threat, css: "threat" }] : own;
  }

  // ---- what the server is asked --------------------------------------------------------------------
  #toggle(what) {
    if (what === "opinions") {
      this.isComparing = !this.isComparing;
      return this.page.draw();
    }
    this.#asker.drop();
    if (what === "owners") {
      this.isOwning = !this.isOwning;
      this.#owned = null;
    } else if (this.#threat) this.#threat = null;
    else return this.#ask(what);
    this.page.draw();
  }

  /** Show what each evaluation says, if that is wanted; its panel is loaded then. */
  async #showOpinions() {
    const { game, view } = this.page;
    if (this.isComparing && !this.opinions) {
      const { OpinionsPanel } = await import("./opinions.js");
      if (this.opinions) return;
      this.opinions = new OpinionsPanel();
      this.opening.element.after(this.opinions.element);
    }
    if (!this.opinions) return;
    this.opinions.element.hidden = !this.isComparing || this.buttons.opinions.hidden;
    if (this.opinions.element.hidden) this.opinions.drop();
    else
      this.opinions.show(game, view).catch((problem) => {
        if (!(problem instanceof Lost)) toast(problem.message, true);
      });
  }

  /** Show the results and the imagined deals of bridge; their panel is loaded for such games. */
  async #showDeals() {
    if (this.page.game.deals && !this.deals) {
      const { DealsPanel } = await import("./deals.js");
      if (this.deals) return;
      this.deals = new DealsPanel();
      this.opening.element.after(this.deals.element);
    }
    this.deals?.show(this.page);
  }

  async #ask(what) {
    const asked = this.#asker.stream(what, { ...match.at(), seconds: SECONDS }, (told) => this.#take(told));
    try {
      this.#take(await asked.done);
    } catch (problem) {
      if (problem instanceof Lost) return;
      toast(problem.message, true);
      if (what === "owners") this.isOwning = false;
    }
    if (this.page.isConnected) this.page.draw();
  }

  #take(told) {
    if (told.candidates) [this.#threat] = told.candidates;
    if (told.cells) {
      this.#owned = told;
      this.#paintOwners();
    }
  }

  // ---- territory -----------------------------------------------------------------------------------
  #paintOwners() {
    const { board } = this.page;
    board.querySelector(".owned")?.remove();
    this.page.remark.textContent = "";
    if (!this.#owned || !board.places) return;
    const { cells, lead, playouts } = this.#owned;
    const marks = cells.flatMap((share, cell) => {
      const box = board.places[cell]?.getBBox();
      if (!box || Math.abs(share) < FAINT) return [];
      const half = 0.17 * Math.min(box.width, box.height) * Math.sqrt(Math.abs(share));
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      return [
        s("rect", {
          x: x - half,
          y: y - half,
          width: 2 * half,
          height: 2 * half,
          class: share > 0 ? "first" : "second",
        }),
      ];
    });
    board.svg.append(s("g", { class: "owned", "aria-hidden": "true" }, marks));
    const { sides } = this.page.view;
    this.page.remark.textContent = t("{0}: {1} points, by {2} playouts", sides[0], signed(lead), playouts);
  }

  // ---- arrows of the user: drawn with the right button ----------------------------------------------
  #cellAt(event) {
    const place = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
    return place && this.page.board.contains(place) ? Number(place.dataset.cell) : -1;
  }

  #press(event) {
    this.#from = event.button === 2 ? this.#cellAt(event) : -1;
  }

  #release(event) {
    const [from, to] = [this.#from, event.button === 2 ? this.#cellAt(event) : -1];
    this.#from = -1;
    if (from < 0 || to < 0 || match.table) return;
    const cells = from === to ? [from] : [from, to];
    const drawn = match.note().arrows ?? [];
    const others = drawn.filter((arrow) => arrow.join() !== cells.join());
    const arrows = others.length < drawn.length ? others : [...drawn, cells];
    match.annotate({ ...match.note(), arrows });
  }
}
