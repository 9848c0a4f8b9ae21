// The game that this script itself holds, where no other file can be loaded.

import {
  CHANCE,
  CODES,
  FULL,
  fill,
  GameError,
  instantiate,
  MOST,
  Module,
  NEVER,
  normal,
  open,
  READERS,
  sequence,
  serve,
} from "./core.js";
import { BYTES, DATA, WEIGHTS } from "./data.js";

/** Bytes from a text: base64, compressed. */
async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The text of a worker: this script without what it holds for the page. */
function workerUrl() {
  const parts = [GameError, Module, sequence, normal, instantiate, fill, serve].map(String);
  const names = { CODES, CHANCE, MOST, NEVER, READERS, DATA, FULL };
  const held = Object.entries(names).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
  const text = [
    ...held,
    ...parts.slice(0, 3),
    `const normal = ${parts[3]};`,
    ...parts.slice(4),
    "serve(self);",
  ];
  return URL.createObjectURL(new Blob([text.join("\n")], { type: "text/javascript" }));
}

/** The game of this file. */
export async function load() {
  const [bytes, weights] = await Promise.all([unpack(BYTES), unpack(WEIGHTS)]);
  return open(bytes, weights, { url: workerUrl(), type: "classic" });
}
