customElements.define("g-about", class extends HTMLElement {});
