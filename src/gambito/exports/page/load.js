// The game of the files beside this one: what an ES module adds to core.js.

import { Game, GameError, open, serve } from "./core.js";
import { BESIDE } from "./data.js"; // the file with what the game has learned; "": none

/** The game of this file. `at` is where its other files are, if not beside it. */
export async function load({ at = import.meta.url } = {}) {
  const read = async (name) => {
    const place = new URL(name, at);
    if (place.protocol === "file:") {
      const { readFile } = await import("node:fs/promises");
      return new Uint8Array(await readFile(place));
    }
    const answer = await fetch(place);
    if (!answer.ok) throw new Error(`${name} cannot be loaded: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  };
  const [bytes, weights] = await Promise.all([read("game.wasm"), BESIDE ? read(BESIDE) : new Uint8Array()]);
  return open(bytes, weights, { url: import.meta.url, type: "module" });
}

export { Game, GameError };

if (globalThis.name === "gambito" && typeof WorkerGlobalScope !== "undefined") serve(globalThis);
