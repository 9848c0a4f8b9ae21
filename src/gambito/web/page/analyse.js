customElements.define("g-analyse", class extends HTMLElement {});
