// The dialog that invites others to a game: each gets a link to a seat, and spectators get another one.

import { clockText } from "./clock.js";
import { h, iconButton, put, toast } from "./dom.js";
import { copy } from "./copy.js";
import * as link from "./link.js";
import { match } from "./match.js";
import { ask } from "./server.js";
import { t } from "./words.js";

const timeOf = (clock) => (clock?.isOn ? { left: clock.left[0], increment: clock.increment } : undefined);

const clockWords = (clock) =>
  clock.isOn
    ? t("With clocks: {0}, and {1} s per move.", clockText(clock.left[0]), clock.increment)
    : t("Without clocks: the settings of the game have them.");

/** Ask which seat the user takes, begin a game on the server, and show the links. */
export function openRoom(sides, clock) {
  const side = h(
    "select",
    { "aria-label": t("Your side") },
    sides.map((name, seat) => h("option", { value: seat }, name)),
  );
  const problem = h("p", { class: "bad small", role: "alert" });
  const begin = async () => {
    problem.textContent = "";
    try {
      const { game, start } = match;
      const players = sides.map(() => null);
      const { keys, watch } = await ask("begin", { game, start, players, clock: timeOf(clock) });
      put(body, links(game, keys, watch, Number(side.value), sides));
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const body = h(
    "section",
    { class: "stack" },
    h("p", {}, t("Each of you plays on a page of your own. The server keeps the game until it is over.")),
    h("label", {}, h("span", {}, t("Your side")), side),
    clock ? h("p", { class: "small muted" }, clockWords(clock)) : null,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "main", onclick: begin }, t("Make the links")),
    ),
    problem,
  );
  const dialog = h(
    "dialog",
    { "aria-label": t("Play with somebody"), onclose: () => dialog.remove() },
    h(
      "form",
      { method: "dialog", onsubmit: (event) => event.preventDefault() },
      h(
        "div",
        { class: "title" },
        h("h3", {}, t("Play with somebody")),
        iconButton("close", t("Close"), () => dialog.close()),
      ),
      body,
    ),
  );

  const links = (game, keys, watch, own, names) => {
    const address = (values) => {
      const url = new URL(location.href);
      url.hash = link.href("play", { game, ...values });
      return url.href;
    };
    const row = (name, href) =>
      h(
        "label",
        {},
        h("span", {}, name),
        h(
          "span",
          { class: "row" },
          h("input", { type: "text", class: "mono", readonly: true, value: href, "aria-label": name }),
          h("button", { type: "button", onclick: () => copy(href) }, t("Copy")),
        ),
      );
    const sit = () => {
      dialog.close();
      location.hash = link.href("play", { game, join: [own, keys[own], watch] });
    };
    return [
      h(
        "p",
        {},
        t("Send a link to each of the others. Whoever has it plays that side, also after a lost connection."),
      ),
      keys.map((key, seat) =>
        seat === own ? null : row(t("Link for {0}", names[seat]), address({ join: [seat, key, watch] })),
      ),
      row(t("Link for spectators"), address({ spectate: watch })),
      h("button", { type: "button", class: "main", onclick: sit }, t("Take your seat")),
    ];
  };
  if (match.moves.length) toast(t("The game begins anew, from its first position."));
  document.body.append(dialog);
  dialog.showModal();
}
