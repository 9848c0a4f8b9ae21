// The state of the page in the address: #/play?game=nim&moves=5-%3E1~3-%3E0
// A list is joined with "~"; empty values are left out.

/** Return the page's name and its values as texts; lists are in `list`. */
export function read(hash = location.hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const raw = new Map(
    query
      .split("&")
      .filter(Boolean)
      .map((pair) => pair.split(/=(.*)/s).slice(0, 2)),
  );
  const text = (name, otherwise = "") => (raw.has(name) ? decode(raw.get(name)) : otherwise);
  const list = (name) => (raw.get(name) ? raw.get(name).split("~").map(decode) : []);
  return {
    page: path,
    has: (name) => raw.has(name),
    text,
    list,
    number: (name, otherwise) => number(text(name), otherwise),
    whole: (name, low, high, otherwise) => {
      const found = number(text(name), otherwise);
      return Number.isInteger(found) && found >= low && found <= high ? found : otherwise;
    },
  };
}

export function href(page, values = {}) {
  const query = Object.entries(values)
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(encode).join("~") : encode(value)])
    .filter(([, value]) => value !== "")
    .map((pair) => pair.join("="));
  return `#/${page}${query.length ? `?${query.join("&")}` : ""}`;
}

/** Put the address into the address bar, unless the reader has gone to another page, which is about to be shown.
    The history keeps one entry for each page. */
export function write(page, values) {
  const { page: now } = read();
  if (now !== page && document.querySelector(`nav a[data-page="${CSS.escape(now)}"]`)) return;
  const address = href(page, values);
  if (address !== location.hash) history.replaceState(null, "", address);
}

const number = (text, otherwise) => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : otherwise);

/** Encode a text for an address, as readable as possible. */
const encode = (value) =>
  value == null || value === false
    ? ""
    : encodeURIComponent(value === true ? 1 : value)
        .replaceAll("~", "%7E")
        .replace(/%(2C|3A|2F|3D|3E|5B|5D)/g, decodeURIComponent);

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
