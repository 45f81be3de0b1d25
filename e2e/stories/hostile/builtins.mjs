/** Pages whose scripts did things to the browser's own before the snippet ran. */

import { test } from "node:test";

import { fullShop, shopPage, showsAllOn } from "../../site/fullShop.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

/** What libraries, old ones mostly, were seen to do, and worse. */
const DEEDS = {
  "froze the prototypes": `
    for (const each of [Object, Array, Function, String, Number, Promise, Map, Set, RegExp, Element, Node, Document, Storage, History, EventTarget, MutationObserver])
      Object.freeze(each.prototype), Object.freeze(each);
    Object.freeze(JSON), Object.freeze(Math), Object.freeze(history), Object.freeze(navigator);`,
  "gave arrays, texts and objects a toJSON": `
    for (const each of [Array, String, Object, Number, Date])
      Object.defineProperty(each.prototype, "toJSON", { value: () => "broken", configurable: true, writable: true });`,
  "brought its own JSON": `
    window.JSON = { parse: () => "broken", stringify: () => "broken" };`,
  "brought its own Array.from, reduce and bind": `
    Array.from = () => { throw new Error("Array.from"); };
    Array.prototype.reduce = () => { throw new Error("reduce"); };
    Function.prototype.bind = function (receiver) { const run = this; return function () { return run.apply(receiver, arguments); }; };`,
  "added to all objects, visibly": `
    Object.prototype.extend = function () { return this; };
    Object.prototype.each = function () { return this; };
    Array.prototype.remove = function () { return this; };
    Array.prototype.last = function () { return this[this.length - 1]; };
    Array.prototype.get = function () { return this; };
    String.prototype.capitalize = function () { return "Broken"; };`,
  "gave all objects properties with names of ours": `
    for (const name of ["type", "name", "match", "page", "async", "id", "dependsOn", "filter", "token", "code", "landing", "isOff", "experimentation",
      "experiment", "variation", "holds", "isApplied", "decision", "isHeldBack", "campaignId", "tags", "isActive", "cookies", "count", "isDue", "source"])
      Object.prototype[name] = "broken";`,
  "wrapped the observer, timers, frames and listeners": `
    const Observer = window.MutationObserver;
    window.MutationObserver = class extends Observer { constructor(tell) { super((...all) => tell(...all)); } };
    for (const name of ["setTimeout", "setInterval", "requestAnimationFrame"]) {
      const before = window[name];
      window[name] = (run, ...rest) => before((...all) => run(...all), ...rest);
    }
    const add = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (type, run, options) {
      return add.call(this, type, typeof run === "function" ? function (event) { return run.call(this, event); } : run, options);
    };`,
  "replaced promises": `
    window.Promise = function (run) { run(() => undefined, () => undefined); };
    window.Promise.resolve = () => ({ then: () => undefined });`,
  "took the console away": `
    delete window.console; window.console = undefined;`,
  "took crypto, TextEncoder and the Navigation API away": `
    for (const name of ["crypto", "TextEncoder", "navigation"]) Object.defineProperty(window, name, { value: undefined });`,
  "made storage and cookies throw": `
    const refuse = { get() { throw new Error("refused"); }, set() { throw new Error("refused"); } };
    for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, refuse);
    Object.defineProperty(document, "cookie", refuse);`,
};

for (const [name, deed] of Object.entries(DEEDS)) {
  test(`a page that ${name}`, () =>
    stage.visit(async (site) => {
      await site.publish(fullShop({ global_aliases: ["shop"] }));
      await showsAllOn(site, shopPage({ before: `<script>{${deed}}</script>` }));
    }));
}
