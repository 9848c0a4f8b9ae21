// Sets the chosen theme before anything is painted. Without a choice, the theme of the system applies.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem("gambito.theme");
  } catch {
    /* storage may be forbidden */
  }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
