/** Pages that forbid nearly everything. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { BODY, assertShown, fullShop, shopPage, showsAllOn } from "../../site/fullShop.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

const STRICT = "default-src 'none'; script-src 'self'; style-src 'self'; require-trusted-types-for 'script'";

/** A script of the site's own, since no other runs: writes down what the policy refused. */
const WATCH = "window.refused = []; addEventListener('securitypolicyviolation', (event) => refused.push(event.violatedDirective + ' ' + event.sample));";

const refused = (site) => site.page.evaluate(() => window.refused.join("\n"));

for (const [policy, name] of [
  [STRICT, "only the site's own scripts and styles, and Trusted Types"],
  [`${STRICT}; trusted-types experimentation`, "Trusted Types by name"],
  ["default-src 'self'; script-src 'self' 'strict-dynamic' 'nonce-abc'", "scripts by nonce"],
]) {
  test(`under a policy of ${name}, everything works and nothing is refused`, () =>
    stage.visit(async (site) => {
      await site.publish(fullShop());
      site.write("/watch.js", WATCH, { "content-type": "text/javascript" });
      const script = (path) => `<script nonce="abc" src="${path}"></script>`;
      const page = shopPage({ before: script("/watch.js"), snippet: script("/snippet.js") });
      await showsAllOn(site, page, { "content-type": "text/html", "content-security-policy": policy });

      assert.equal(await refused(site), "");
    }));
}

test("where a policy allows no HTML of ours, the other changes are there and the log says why", () =>
  stage.visit(async (site) => {
    const logged = [];
    site.page.on("console", (message) => logged.push(message.text()));
    await site.publish(fullShop());
    const policy = `${STRICT}; trusted-types 'none'`;
    site.write("/", shopPage(), { "content-type": "text/html", "content-security-policy": policy });
    await site.open();

    const seen = await site.page.evaluate(() => [document.querySelector("h1").textContent, document.querySelector("#html").textContent]);
    assert.deepEqual(seen, ["Changed", "plain"]);
    assert.ok(logged.some((text) => text.startsWith("experimentation: TypeError")), logged.join("\n"));
  }));

test("a sandboxed frame without an origin", () =>
  stage.visit(async (site) => {
    await site.publish(fullShop());
    site.write("/framed", shopPage());
    site.write("/frame", `<!doctype html><iframe sandbox="allow-scripts" src="/framed"></iframe>`);
    await site.open("/frame");

    await assertShown(site, site.page.frame({ url: /framed/ }));
  }));

test("in a sandboxed frame without an origin, whose browser tells of no navigation, the address is followed", () =>
  stage.visit(async (site) => {
    const shop = fullShop();
    shop.pages[0].conditions = ["or", { type: "url", match: "substring", value: "#deep" }];
    shop.pages[0].activation = { type: "url_changed" };
    await site.publish(shop);
    site.write("/framed", shopPage());
    site.write("/frame", `<!doctype html><iframe sandbox="allow-scripts" src="/framed"></iframe>`);
    await site.open("/frame");
    const frame = site.page.frame({ url: /framed/ });
    assert.equal(await frame.evaluate(() => document.querySelector("h1").textContent), "Hello");

    await frame.evaluate(() => void (location.hash = "deep"));

    await frame.waitForFunction(() => document.querySelector("h1").textContent === "Changed");
    await assertShown(site, frame);
  }));

test("where a policy names others, but asks for no Trusted Types, HTML is there", () =>
  stage.visit(async (site) => {
    await site.publish(fullShop());
    await showsAllOn(site, shopPage(), { "content-type": "text/html", "content-security-policy": "trusted-types another" });
  }));

test("a document inside of a document, which has no address of its own", () =>
  stage.visit(async (site) => {
    const shop = fullShop();
    shop.pages[0].conditions = [];
    await site.publish(shop);
    const inner = shopPage({ body: BODY }).replaceAll('"', "&quot;");
    site.write("/frame", `<!doctype html><iframe srcdoc="${inner}"></iframe>`);
    await site.open("/frame");

    await assertShown(site, site.page.frames()[1]);
  }));
