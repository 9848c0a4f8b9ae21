// What Play and Analyse have in common: the shared game on a page, its address, its keys.

import { h, icon, toast } from "./dom.js";
import * as link from "./link.js";
import { match, splitGame } from "./match.js";
import { connection, Lost } from "./server.js";
import { t } from "./words.js";

/** A page has a `name`, and `build`, `readSettings(link)`, `restart` and `changed(what)`. */
export class GamePage extends HTMLElement {
  ticket = 0; // answers to questions of an earlier position are dropped
  view = null; // the position looked at
  flip = null; // has somebody turned the board? null: it is as it usually is

  connectedCallback() {
    this.away = new AbortController();
    const { signal } = this.away;
    const read = link.read();
    this.className = "page";
    match.follow(read);
    this.readSettings(read);
    this.flipper = this.tool("flip", t("Flip the board"), () => {
      this.flip = !this.isTurned;
      this.draw();
    });
    this.board = h("g-board", {});
    this.bar = h("g-bar");
    this.moves = h("g-moves", { onlook: ({ detail }) => match.look(detail) });
    this.build();
    match.addEventListener("change", ({ detail }) => this.changed(detail), { signal });
    connection.addEventListener("open", () => this.restart(), { signal });
    addEventListener("keydown", (event) => this.#key(event), { signal });
    this.restart();
  }

  disconnectedCallback() {
    this.away.abort();
    this.ticket += 1;
  }

  /** The address was changed by hand, or by the browser's way back. */
  follow() {
    const read = link.read();
    if (read.page !== this.name || !read.has("game")) return;
    match.follow(read);
    this.readSettings(read);
    this.restart();
  }

  /** The game as the catalogue describes it. */
  get game() {
    const { games } = this.catalogue;
    return games.find(({ name }) => name === splitGame(match.game)[0]) ?? games[0];
  }

  get isTurned() {
    return (this.flip ?? this.isUsuallyTurned) && this.view.board?.turns !== false;
  }

  get isUsuallyTurned() {
    return false;
  }

  /** What a link says of the board. */
  readFlip(read) {
    this.flip = read.has("flip") ? read.number("flip", 0) === 1 : null;
  }

  get flipText() {
    return this.flip == null ? "" : String(Number(this.flip));
  }

  /** Show the position looked at. */
  showBoard(active) {
    this.classList.add("ready");
    this.flipper.disabled = this.view.board?.turns === false;
    this.board.show(this.view, { flip: this.isTurned, active });
  }

  tool(name, label, what) {
    return h(
      "button",
      { type: "button", class: "icon", "aria-label": label, title: label, onclick: what },
      icon(name),
    );
  }

  /** There is no such position. */
  recover(ticket, problem) {
    if (ticket !== this.ticket || problem instanceof Lost) return; // the connection asks again
    toast(problem.message, true);
    match.recover(this.catalogue.games);
  }

  #key(event) {
    if (
      event.target.closest?.("input, textarea, select, dialog, [role=slider]") ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    if (event.key === "ArrowLeft") match.look(match.cursor - 1);
    else if (event.key === "ArrowRight") match.look(match.cursor + 1);
    else if (event.key === "f") this.flipper.click();
    else return;
    event.preventDefault();
  }
}
