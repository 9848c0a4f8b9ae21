// The elements of <g-play>: the board between the strips of its seats, the controls, the moves, the set-up.

import { playerName } from "./choose.js";
import { clockText } from "./clock.js";
import { h, icon, iconButton, toast } from "./dom.js";
import { copy } from "./copy.js";
import * as link from "./link.js";
import { match } from "./match.js";
import { sideColours, smallPiece } from "./pieces.js";
import { SetUp } from "./setup.js";
import { isOn, sound, turn } from "./sound.js";
import { MOVER, ownerOf, seenBy, setViewer, viewer } from "./values.js";
import { nameOf, t } from "./words.js";

const SHOWN = 8; // moves that are told when a typed one is none

/** Make the elements of a page; `on` holds what it does when a person uses them. */
export function buildPlay(page, on) {
  page.setUp = new SetUp(on);
  page.board.addEventListener("move", ({ detail }) => on.move(detail));
  page.strips = [h("div", { class: "strip" }), h("div", { class: "strip" })];
  page.undo = iconButton("undo", t("Undo"), on.undo);
  page.redo = iconButton("redo", t("Redo"), () => match.redo());
  page.hint = iconButton("hint", t("Hint"), on.hint);
  page.stopper = h("button", { type: "button", onclick: on.stop });
  page.resign = iconButton("flag", t("Resign"), on.resign);
  page.offer = iconButton("half", t("Offer a draw"), on.offer);
  page.claimer = h("button", { type: "button", hidden: true, onclick: on.claim }, t("Claim…"));
  page.speaker = speaker();
  page.board.addEventListener("moved", ({ detail }) => sound(detail));
  page.status = h("p", { class: "status" });
  page.handOver = h("button", {
    type: "button",
    class: "main",
    hidden: true,
    onclick: on.cover,
  });
  page.secret = h(
    "p",
    { class: "small muted" },
    t("This game hides something. No move is taken back until it is over; then everybody sees everything."),
  );
  page.inviter = h(
    "button",
    { type: "button", class: "quiet", hidden: true, onclick: invite },
    t("Link for spectators"),
  );
  page.roomer = h(
    "button",
    {
      type: "button",
      class: "quiet",
      hidden: true,
      onclick: async () =>
        (await import("./room.js")).openRoom(page.view.sides, page.game.hidden ? null : page.clock),
    },
    t("Play with somebody…"),
  );
  page.cover = h("div", { class: "hand-over panel", hidden: true });
  page.looking = h(
    "div",
    { class: "row looking", hidden: true },
    h("button", { type: "button", onclick: () => match.look(match.moves.length) }, t("Return to the game")),
    h(
      "button",
      { type: "button", class: "quiet", onclick: () => match.takeBack(match.cursor) },
      t("Continue from here"),
    ),
  );
  page.typed = h("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-label": t("Type a move"),
    placeholder: t("Type a move"),
  });
  page.typing = h(
    "form",
    { class: "row typing", onsubmit: on.type },
    page.typed,
    h("button", { type: "submit" }, t("Play move")),
  );
  page.thinking = h("g-thinking");
  page.viewer = h("select", {
    "aria-label": t("Values for"),
    onchange: () => {
      setViewer(page.viewer.value === MOVER ? MOVER : Number(page.viewer.value));
      on.view();
    },
  });
  page.thinkingPanel = h(
    "section",
    { class: "panel thinking-panel", "aria-label": t("Engine"), hidden: true },
    h("h2", {}, t("Engine")),
    page.thinking,
    h("label", { class: "viewer", hidden: true }, h("span", {}, t("Values for")), page.viewer),
  );
  page.replaceChildren(
    h("h1", { class: "unseen" }, t("Play")),
    h(
      "section",
      { class: "centre", "aria-label": t("Board") },
      page.strips[0],
      h("div", { class: "board-row" }, page.bar, page.board, page.cover),
      page.strips[1],
      h(
        "div",
        { class: "bar tools", role: "toolbar", "aria-label": t("Controls") },
        page.undo,
        page.redo,
        page.hint,
        page.flipper,
        page.resign,
        page.offer,
        page.speaker,
        page.claimer,
        h("span", { class: "gap" }),
        page.roomer,
        page.inviter,
        page.stopper,
      ),
    ),
    h(
      "div",
      { class: "side stack" },
      h(
        "section",
        { class: "panel", "aria-label": t("Moves") },
        page.status,
        page.handOver,
        page.moves,
        page.typing,
        page.looking,
        page.secret,
      ),
      page.thinkingPanel,
    ),
    page.setUp.element,
  );
}

/** Return the switch of the sounds. */
function speaker() {
  const button = iconButton("sound", t("Sound"), () => {
    turn(!isOn());
    show();
  });
  const show = () => {
    button.setAttribute("aria-pressed", String(isOn()));
    button.replaceChildren(icon(isOn() ? "sound" : "mute"));
  };
  show();
  return button;
}

/** Show the result of a search by `player`, for the side that the reader has chosen. */
export function showValue(page, sides, found, player) {
  const [chosen, isPair] = [viewer(), sides.length === 2];
  page.viewer.replaceChildren(
    ...sides.map((name, side) => h("option", { value: side }, name)),
    h("option", { value: MOVER }, t("who thinks")),
  );
  page.viewer.value = chosen;
  page.viewer.parentNode.hidden = !isPair;
  const whose = isPair ? sides[chosen === MOVER ? ownerOf(player) : chosen] : "";
  page.thinking.show(seenBy(found, player, sides.length), page.game.measure, whose);
}

/** Show which controls can be used now. */
export function drawControls(page, now) {
  const { canMove, claims, isAlone, isOver, isThinking, mustHandOver, next, person } = now;
  const { table } = match;
  const { game, isPaused } = page;
  page.looking.hidden = match.isAtEnd;
  page.looking.lastChild.hidden = table != null;
  page.typing.hidden = !match.isAtEnd || isOver || isAlone || (table && !canMove);
  page.undo.disabled = !match.moves.length || table != null;
  page.redo.disabled = !match.undone.length || table != null;
  page.secret.hidden = !table || !game.hidden;
  page.roomer.hidden = table?.room || table?.isGuest || game.puzzle || page.seats.length < 2;
  page.inviter.hidden = !table || table.isGuest;
  page.claimer.hidden = !canMove || !claims;
  page.handOver.hidden = !mustHandOver;
  page.handOver.textContent = t("Hand over to {0}", next);
  if (table?.seat !== -1 || !table.isShared) page.cover.hidden = true;
  page.resign.disabled = page.offer.disabled = person < 0;
  page.hint.disabled = table?.room || !canMove || isThinking || !game.algorithms.length;
  page.stopper.hidden = isOver || !(isAlone || isThinking || isPaused);
  drawStopper(page.stopper, isPaused, isAlone);
}

/** Show what the button does that stops a search or pauses a game. */
function drawStopper(button, isPaused, isAlone) {
  const [glyph, label] = isPaused
    ? ["play", t("Continue")]
    : isAlone
      ? ["pause", t("Pause")]
      : ["stop", t("Move now")];
  button.replaceChildren(icon(glyph), label);
}

export function showClocks(page) {
  for (const time of page.querySelectorAll("time.clock")) {
    const left = page.clock.now(Number(time.dataset.side));
    time.textContent = clockText(left);
    time.classList.toggle("short", left < 10);
  }
}

/** Copy the address under which others see what everybody sees. */
function invite() {
  const address = new URL(location.href);
  address.hash = link.href("play", { game: match.game, spectate: match.table.watch });
  copy(address.href);
}

/** Return what a side has so far: prisoners, discs, pieces that it is ahead. */
function drawTally({ tallies, board }, side, colours) {
  const { words: text = "", shapes = [], side: of } = tallies?.[side] ?? {};
  if (!text && !shapes.length) return null;
  const pieces = shapes.map((shape) => smallPiece(shape, colours[of] ?? "nobody", board.symbols));
  return h("span", { class: "tally" }, pieces, text ? h("span", {}, text) : null);
}

const isAlike = (one, other) => one.toLowerCase() === other.toLowerCase();

/** Return the legal move that a text names; if there is none, say so. */
export function findMove(actions, text) {
  const found =
    actions.find(({ move }) => move === text) ??
    actions.find(({ move }) => [move, nameOf(move)].some((name) => isAlike(name, text)));
  const some = actions.slice(0, SHOWN).map(({ move }) => nameOf(move));
  if (!found) toast(t("'{0}' is not a move here; some that are: {1}", text, some.join(", ")), true);
  return found;
}

/** Draw who sits where, whose turn it is, and the clocks. */
export function drawStrips(page, live) {
  const { sides, player, over, points } = live;
  const colours = sideColours(live);
  const strip = (side) => {
    const time = page.clock.isOn
      ? h("time", { class: "clock", "data-side": side }, clockText(page.clock.now(side)))
      : null;
    const isTurn = !over && side === player;
    return h(
      "div",
      { class: `seat-line${isTurn ? " turn" : ""}` },
      h("i", { class: `swatch ${colours[side]}` }),
      h("b", { class: "name" }, sides[side]),
      h(
        "span",
        { class: "muted" },
        match.table?.room && side === match.table.seat
          ? t("You")
          : playerName(page.seats[side], page.catalogue),
      ),
      h("span", { class: "gap" }),
      drawTally(live, side, colours),
      points && page.seats.length > 2 ? h("b", { class: "points" }, points[side]) : null,
      time,
    );
  };
  const [below, ...above] = page.isTurned
    ? page.seats.map((_, side) => side).reverse()
    : page.seats.map((_, side) => side);
  page.strips[0].replaceChildren(...above.map(strip));
  page.strips[1].replaceChildren(strip(below));
}
