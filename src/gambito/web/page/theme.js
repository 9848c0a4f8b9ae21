// The chosen theme, before anything is painted. No choice: the system's.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem("gambito.theme");
  } catch {
    /* storage may be forbidden */
  }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
