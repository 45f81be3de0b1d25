/** Apps of real frameworks, which go on counting on what they rendered: they render, change and take away, and none of them breaks. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { abTest, everywhere, project } from "../../site/projects.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

const library = (path) => readFileSync(new URL(`../../node_modules/${path}`, import.meta.url), "utf8");
const script = (text) => `<script>${text.replaceAll("</script", "<\\/script")}</script>`;

/** Renders a headline, a paragraph whose first words may go, and a list; `show(words, count)` renders it anew. */
const REACT = `
  const e = React.createElement;
  const App = ({ words, count }) => e("div", null,
    e("h1", null, "Hello ", count),
    e("p", null, words && "shown", " tail"),
    e("ul", null, ...Array.from({ length: count }, (_, at) => e("li", { key: at }, "item ", at))));
  const root = ReactDOM.createRoot(document.querySelector("#app"));
  window.show = (words, count) => ReactDOM.flushSync(() => root.render(e(App, { words, count })));
  window.end = () => ReactDOM.flushSync(() => root.unmount());
  show(true, 3);`;

const VUE = `
  const state = Vue.reactive({ words: true, count: 3 });
  const app = Vue.createApp({ render: () => Vue.h("div", [
    Vue.h("h1", "Hello " + state.count),
    Vue.h("p", [state.words ? "shown" : null, " tail"]),
    Vue.h("ul", Array.from({ length: state.count }, (_, at) => Vue.h("li", { key: at }, "item " + at))),
  ]) });
  window.show = (words, count) => { Object.assign(state, { words, count }); return Vue.nextTick(); };
  window.end = () => app.unmount();
  app.mount("#app");`;

const APPS = {
  React: script(library("react/umd/react.production.min.js")) + script(library("react-dom/umd/react-dom.production.min.js")) + script(REACT),
  Vue: script(library("vue/dist/vue.global.prod.js")) + script(VUE),
};

const shopOf = (...changes) =>
  project({ pages: [everywhere()], campaigns: [abTest({ pages: ["everywhere"], weights: [0, 10000], changes: [undefined, changes] })] });

/** What the page shows at the end: with two items, and the words gone and back. */
const CASES = [
  ["text of what it renders in parts", [{ type: "text", selector: "#app p", value: "New" }], { p: "New", li: 2 }],
  ["HTML in the place of a list", [{ type: "html", selector: "#app ul", value: "<li>Ours</li>" }], { p: "shown tail", li: 1 }],
  ["a removed paragraph", [{ type: "remove", selector: "#app p" }], { p: undefined, li: 2 }],
  ["the first item, removed", [{ type: "remove", selector: "#app li:first-child" }], { p: "shown tail", li: 1 }],
  ["a moved paragraph", [{ type: "move", selector: "#app p", to: "#app h1", position: "before" }], { p: "shown tail", li: 2 }],
];

for (const [framework, app] of Object.entries(APPS)) {
  for (const [what, changes, expected] of CASES) {
    test(`${framework} lives on with ${what}`, () =>
      stage.visit(async (site) => {
        const faults = [];
        site.page.on("pageerror", (error) => faults.push(error.message));
        await site.publish(shopOf(...changes));
        site.write("/", `<!doctype html><title>Shop</title><script src="/snippet.js"></script><div id="app"></div>${app}`);
        await site.open();

        const shown = await site.page.evaluate(async () => {
          const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          for (const [words, count] of [[false, 4], [true, 1], [false, 3], [true, 2]]) {
            await show(words, count);
            await frame();
          }
          const visible = (element) => element.checkVisibility();
          const look = { p: document.querySelector("p")?.textContent, li: [...document.querySelectorAll("li")].filter(visible).length };
          end();
          return [look, document.querySelector("#app").textContent];
        });

        assert.deepEqual(shown, [{ p: undefined, ...expected }, ""]);
        assert.deepEqual(faults, []);
      }));
  }
}
