// Copy a text, and say so.

import { toast } from "./dom.js";
import { t } from "./words.js";

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("Copied."));
  } catch {
    toast(t("The browser did not allow copying; select the text and copy it."), true);
  }
}
