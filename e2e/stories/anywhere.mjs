/** A snippet put where it was not meant to stand: in a page of another encoding, and into a page's own script. It says the same. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { openBrowser } from "../site/browser.mjs";
import { compiled } from "../site/commands.mjs";
import { everywhere, project } from "../site/projects.mjs";

/** Code with everything that HTML or an encoding could take for something else. It returns what it finds. */
const CODE = String.raw`
  var größe = { 'Größe': "<!-- Grüße", "<script": '</SCRIPT>', é: 1, "日本": "👍" };
  var script = 1, a = 2;
  var raw = (strings, ...values) => [[...strings], [...strings.raw], values];
  var self = { tag(strings) { return [this === self, strings.raw[0]]; } };
  return [
    größe, größe.é, größe["Größe"], Object.keys(größe),
    ["a\é", "\<script", "\\<!--", "x\u2028y", "\u{1F44D}"],
    \`<!-- \${a}</script é👍 \${"<script>"} 日本\`,
    String.raw\`é\n<script \${a} </script>\`,
    raw\`<!--\${raw\`é\${a}👍\`}\u00e9\${(1, 2)}\`,
    self.tag\`é<script\`,
    ["x<!--y", "[", "<script", "é", "é👍", "</script>"].map((text) => [
      /<!--/.test(text), /[<!--]/.test(text), /(?<script>é)\k<script>?/.test(text), /(?<!--)<scr/.test(text), /^[à-ü]$/.test(text), /^.👍$/u.test(text), /[</script>]/.test(text), /\é/.test(text),
    ]),
    a<script, a --> script, script< !--a, (() => { class Größe { #é = 3; get() { return this.#é; } } return new Größe().get(); })(),
    (function ü(n) { return n ? ü(n - 1) : "ende"; })(3),
  ];
`.replaceAll("\\`", "`").replaceAll("\\$", "$");

/** What the code says as it is written. */
const EXPECTED = JSON.stringify(new Function(CODE)());

const NAME = "Größe </script> <!-- 👍";

const document = () => ({
  ...project({ snippet: { javascript: `window.found = JSON.stringify((function(){${CODE}\n})());` } }),
  pages: [everywhere({ name: NAME })],
});

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {string} */
let script;

before(async () => {
  [browser, script] = await Promise.all([openBrowser(), compiled(document())]);
});

after(() => browser?.close());

/** The page at the front of the shop, and the script that it may ask for, without a word about its encoding. */
const visit = async (html, encoding, look) => {
  const context = await browser.newContext();
  await context.route("**/*", (route) =>
    route.request().url().endsWith(".js")
      ? route.fulfill({ headers: { "content-type": "text/javascript" }, body: Buffer.from(script) })
      : route.fulfill({ headers: { "content-type": `text/html; charset=${encoding}` }, body: Buffer.from(html, "latin1") }),
  );
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto("https://shop.test/");
  const found = await page.evaluate(() => ({
    found: window.found,
    name: Object.values(window.experimentation.get("state").getPageStates())[0].name,
    after: document.querySelector("#after")?.textContent,
  }));
  await context.close();
  look({ ...found, complaints });
};

const asWritten = ({ found, name, after: rest, complaints }) => {
  assert.deepEqual(complaints, []);
  assert.equal(found, EXPECTED);
  assert.equal(name, NAME);
  assert.equal(rest, "after");
};

test("a compiled snippet is ASCII and holds nothing that begins a comment or a script", () => {
  assert.match(script, /^[\t\n\x20-\x7e]*$/);
  assert.doesNotMatch(script, /<!--|<\/?script/i);
});

test("in a page of another encoding, a script without one says what its author wrote", () =>
  visit(`<!doctype html><script src="/snippet.js"></script><p id="after">after</p>`, "windows-1252", asWritten));

test("inside a page's own script it ends where the page says", () =>
  visit(`<!doctype html><script>${script}</script><p id="after">after</p>`, "windows-1252", asWritten));
