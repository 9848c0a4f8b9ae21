customElements.define("g-play", class extends HTMLElement {});
