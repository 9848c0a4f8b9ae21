// The common part of Play and Analyse: the shared game, its address, its keys.

import { h, iconButton, toast } from "./dom.js";
import * as link from "./link.js";
import { gameOf, match } from "./match.js";
import { Asker, connection, Lost } from "./server.js";
import { t } from "./words.js";

/** A page has a `name`, and `build`, `readSettings(link)`, `restart` and `changed(what)`. */
export class GamePage extends HTMLElement {
  ticket = 0; // what goes on about an earlier position ends
  asker = new Asker(); // the questions about the position
  dialogs = new Asker(); // what dialogs need before they open
  view = null; // the current position
  flip = null; // whether the user has turned the board; null: the default

  connectedCallback() {
    this.away = new AbortController();
    const { signal } = this.away;
    const read = link.read();
    this.className = "page";
    match.read(read);
    this.readSettings(read);
    this.flipper = iconButton("flip", t("Flip the board"), () => {
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
    this.dialogs.drop();
    this.nextTicket();
  }

  /** Follow a change of the address by the user or by the browser's back button. */
  follow() {
    const read = link.read();
    if (read.page !== this.name || !read.has("game")) return;
    match.read(read);
    this.readSettings(read);
    this.restart();
  }

  /** Leave what was asked about the position before; return the number of the new questions. */
  nextTicket() {
    this.asker.drop();
    return ++this.ticket;
  }

  get game() {
    return gameOf(this.catalogue.games, match.game);
  }

  get isTurned() {
    return (this.flip ?? this.isUsuallyTurned) && this.view.board?.turns !== false;
  }

  get isUsuallyTurned() {
    return false;
  }

  readFlip(read) {
    this.flip = read.has("flip") ? read.number("flip", 0) === 1 : null;
  }

  get flipText() {
    return this.flip == null ? "" : String(Number(this.flip));
  }

  showBoard(active) {
    this.classList.add("ready");
    this.flipper.disabled = this.view.board?.turns === false;
    this.board.show(this.view, { flip: this.isTurned, active });
  }

  /** Show a move before the server has confirmed it. Return whether there is one. */
  showExpected() {
    const view = this.view && match.isAtEnd && match.expected();
    if (!view) return false;
    this.view = view;
    this.showBoard(false);
    this.moves.show(view.played, match.cursor);
    return true;
  }

  recover(ticket, problem) {
    if (ticket !== this.ticket || problem instanceof Lost) return; // asked again after a reconnection
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
