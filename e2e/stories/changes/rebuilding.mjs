/** Apps that rebuild what a change has written, removed, moved or stands beside: the page shows the change on what the app has rendered last, and nothing of before. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { abTest, everywhere, project } from "../../site/projects.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

const library = (path) => readFileSync(new URL(`../../node_modules/${path}`, import.meta.url), "utf8");

/** Each renders a headline, a bar that is made anew for each `bar`, a section that may go, and a list with keys; `show(state)` renders it. */
const ELEMENTS = `({ count, bar, isOffered, items }) => h("main", null,
  h("h1", null, "Hello ", count),
  h("div", { id: "bar", key: "bar" + bar }, "bar "),
  isOffered ? h("section", { key: "offer" }, h("button", { class: "cta" }, "Buy")) : null,
  h("ul", { key: "list" }, items.map((item) => h("li", { key: item, "data-id": item }, "item " + item))))`;

const APPS = {
  React: `
    import "/react.js";
    import "/react-dom.js";
    const h = (kind, props, ...content) => React.createElement(kind, props?.class ? { ...props, className: props.class, class: undefined } : props, ...content);
    const App = ${ELEMENTS};
    const root = ReactDOM.createRoot(document.querySelector("#app"));
    window.show = (state) => ReactDOM.flushSync(() => root.render(App(state)));`,
  Vue: `
    import * as Vue from "/vue.js";
    const h = (kind, props, ...content) => Vue.h(kind, props, content.flat());
    const App = ${ELEMENTS};
    const state = Vue.shallowRef({ items: [] });
    Vue.createApp({ render: () => App(state.value) }).mount("#app");
    window.show = (next) => (state.value = next);`,
  Preact: `
    import { h, render } from "/preact.js";
    const App = ${ELEMENTS};
    window.show = (state) => render(App(state), document.querySelector("#app"));`,
  Lit: `
    import { html, render } from "/lit-html.js";
    import { repeat } from "/directives/repeat.js";
    const bars = [() => html\`<div id="bar">bar </div>\`, () => html\`<div id="bar">bar </div>\`];
    const offer = () => html\`<section><button class="cta">Buy</button></section>\`;
    const item = (it) => html\`<li data-id=\${it}>item \${it}</li>\`;
    window.show = ({ count, bar, isOffered, items }) => render(
      html\`<main><h1>Hello \${count}</h1>\${bars[bar % 2]()}\${isOffered ? offer() : ""}<ul>\${repeat(items, (it) => it, item)}</ul></main>\`,
      document.querySelector("#app"));`,
};

const FILES = {
  "/react.js": "react/umd/react.production.min.js",
  "/react-dom.js": "react-dom/umd/react-dom.production.min.js",
  "/vue.js": "vue/dist/vue.esm-browser.prod.js",
  "/preact.js": "preact/dist/preact.mjs",
  ...Object.fromEntries(["lit-html", "directive", "directive-helpers", "directives/repeat"].map((name) => [`/${name}.js`, `lit-html/${name}.js`])),
};

const STATES = [
  { count: 0, bar: 0, isOffered: true, items: [1, 2, 3] },
  { count: 1, bar: 0, isOffered: true, items: [1, 9, 2, 3] },
  { count: 1, bar: 1, isOffered: true, items: [3, 2, 9, 1] },
  { count: 2, bar: 1, isOffered: false, items: [3, 1] },
  { count: 2, bar: 0, isOffered: true, items: [2, 1, 3] },
  { count: 3, bar: 1, isOffered: false, items: [3, 2, 8] },
  { count: 3, bar: 0, isOffered: true, items: [8, 3, 2] },
];

/** What the app itself shows. */
const rendered = ({ count, isOffered, items }) => ({ headline: `Hello ${count}`, bar: "bar ", offer: isOffered ? "Buy" : "", list: items.map((item) => `item ${item}`) });

/** What visitors see of that with each change. */
const CHANGES = [
  [{ type: "text", selector: "h1", value: "Ours" }, (page) => ({ ...page, headline: "Ours" })],
  [{ type: "html", selector: "ul", value: "<li>Ours</li>" }, (page) => ({ ...page, list: ["Ours"] })],
  [{ type: "remove", selector: "[data-id='2']" }, (page) => ({ ...page, list: page.list.filter((item) => item !== "item 2") })],
  [{ type: "remove", selector: "section" }, (page) => ({ ...page, offer: "" })],
  [{ type: "move", selector: ".cta", to: "#bar", position: "append" }, (page) => ({ ...page, bar: page.bar + page.offer, offer: "" })],
  [{ type: "insert", selector: "[data-id='2']", position: "before", value: "<li>Sale</li>" }, (page) => ({ ...page, list: page.list.flatMap((item) => (item === "item 2" ? ["Sale", item] : [item])) })],
  [{ type: "insert", selector: "[data-id='2']", position: "after", value: "<li>Sale</li>" }, (page) => ({ ...page, list: page.list.flatMap((item) => (item === "item 2" ? [item, "Sale"] : [item])) })],
];

/** Shows states one after the other; then, optionally, the page of the project ends. */
const seen = (page, states) =>
  page.evaluate(async (states) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const text = (selector) => document.querySelector(selector)?.textContent ?? "";
    const look = () => ({ headline: text("h1"), bar: text("#bar"), offer: text("section"), list: [...document.querySelectorAll("li")].map((item) => item.textContent) });
    const looks = [];
    for (const state of states) {
      show(state);
      await frame();
      looks.push(look());
    }
    experimentation.push({ type: "page", pageName: "everywhere", isActive: false });
    await frame();
    return [...looks, look()];
  }, states);

for (const [framework, app] of Object.entries(APPS)) {
  for (const [change, applied] of CHANGES) {
    test(`${framework} renders on and on: ${change.type} ${change.position ?? ""} ${change.selector}`, () =>
      stage.visit(async (site) => {
        const page = { ...everywhere(), deactivation: true, undo_changes: true };
        await site.publish(project({ pages: [page], campaigns: [abTest({ pages: ["everywhere"], weights: [0, 10000], changes: [undefined, [change]] })] }));
        for (const [address, path] of Object.entries(FILES)) site.write(address, library(path), { "content-type": "text/javascript" });
        site.write("/", `<!doctype html><title>Shop</title><script src="/snippet.js"></script><div id="app"></div><script type="module">${app}</script>`);
        await site.open();
        await site.page.waitForFunction(() => window.show);

        for (let until = 1; until <= STATES.length; until++) {
          const states = STATES.slice(0, until);
          const looks = await seen(site.page, states);

          const expected = [...states.map((state) => applied(rendered(state))), rendered(states.at(-1))];
          assert.deepEqual(looks, expected);
          await site.open();
          await site.page.waitForFunction(() => window.show);
        }
        assert.deepEqual(site.faults, []);
      }));
  }
}
