/** A preview link works however a page loads the snippet; where it cannot, the page is as ever. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { setPreviewStage, DRAFT, TAG } from "../../site/previewStage.mjs";

const stage = setPreviewStage();

/** As tag managers do it. */
const INJECTED = `<script>document.head.append(Object.assign(document.createElement("script"), {src: "/js/1000.js"}))</script>`;
const INJECTED_IN_ORDER = INJECTED.replace(`"}`, `", async: false}`);

for (const [way, tag] of Object.entries({
  "as an async script": TAG.replace("src", "async src"),
  "as a deferred script": TAG.replace("src", "defer src"),
  "with a query and a fragment": TAG.replace(".js", ".js?v=1#x"),
  "by its revision": TAG.replace("1000.js", `1000/${"0".repeat(32)}.js`),
  "by a tag manager": INJECTED,
  "by a tag manager, in order": INJECTED_IN_ORDER,
  "twice": TAG + TAG,
})) {
  test(way, async () => {
    if (tag.includes("1000/")) {
      // Any revision will do: this one is answered with the live snippet.
      stage.deliver = (route, url) => (url.search ? stage.passOn(route) : route.fulfill({ contentType: "text/javascript", body: live }));
    }
    const live = await (await fetch(`${stage.assay.url}/js/1000.js`)).text();
    stage.tag = tag;

    await stage.open(await stage.link([DRAFT]));

    assert.equal(await stage.headline(), "Draft");
  });
}

for (const [policy, name] of [
  ["default-src 'none'; script-src 'self' 'nonce-abc'", "the site's own scripts"],
  ["default-src 'none'; script-src 'nonce-abc'", "scripts by nonce"],
  ["default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'", "scripts by nonce and what they load"],
]) {
  test(`under a policy of ${name}, a link works`, async () => {
    stage.tag = TAG.replace("src", `nonce="abc" src`);
    stage.headers = { "content-security-policy": policy };

    await stage.open(await stage.link([DRAFT]));

    assert.equal(await stage.headline(), "Draft");
    assert.equal(await stage.wasThereAtOnce(), true);
  });
}

/** Markup of any customer, where a shop lets people write some. Each stands before what the document has under the name. */
for (const markup of [
  `<img name="currentScript" src="http://evil.test/js/1000.js">`,
  `<embed name="currentScript" src="http://evil.test/js/1000.js"><embed name="currentScript">`,
  `<form name="currentScript"><input name="src"></form>`,
  `<object name="currentScript" data="http://evil.test/js/1000.js"></object>`,
  `<iframe name="currentScript" src="about:blank"></iframe>`,
  `<form name="scripts"><input type="image" src="http://evil.test/js/1000.js"></form><img name="write"><img name="createElement"><form name="head"></form>`,
]) {
  test(`with ${markup} in the page, a link loads the preview from where the snippet is`, async () => {
    const scripts = [];
    stage.deliver = (route, url) => {
      if (route.request().resourceType() === "script") scripts.push(url.host);
      return stage.passOn(route);
    };
    stage.tag = markup + TAG;

    await stage.open(await stage.link([DRAFT]));

    assert.equal(await stage.headline(), "Draft");
    assert.equal(await stage.wasThereAtOnce(), true);
    assert.deepEqual(scripts, ["www.shop.test", "www.shop.test"]);
  });
}

test("as a part of another script, it loads no preview", async () => {
  const live = await (await fetch(`${stage.assay.url}/js/1000.js`)).text();
  stage.tag = `<script src="/js/bundle.js"></script>`;
  stage.deliver = (route) => route.fulfill({ contentType: "text/javascript", body: live });

  await stage.open(await stage.link([DRAFT]));

  assert.equal(await stage.headline(), "Hello");
  assert.deepEqual(stage.asked, ["/js/bundle.js"]);
});

test("where a page lets no script load others by name, it is as ever and the log says why", async () => {
  stage.headers = { "content-security-policy": "require-trusted-types-for 'script'" };

  await stage.open(await stage.link([DRAFT]));

  assert.equal(await stage.headline(), "Hello");
  assert.equal(await stage.wasThereAtOnce(), true);
  assert.ok(stage.warnings.some((text) => /^experimentation: TypeError/.test(text)), stage.warnings.join("\n"));
});

test("where the preview does not come, the page is as ever", async () => {
  stage.deliver = (route, url) => (url.search ? route.abort() : stage.passOn(route));

  await stage.open(await stage.link([DRAFT]));

  assert.equal(await stage.headline(), "Hello");
  assert.equal(await stage.page.evaluate(() => window.experimentation.get("state").getActiveExperimentIds().length), 1);
});

test("where a cache passes over queries, the page is as ever and asks but once", async () => {
  const live = await (await fetch(`${stage.assay.url}/js/1000.js`)).text();
  stage.deliver = (route) => route.fulfill({ contentType: "text/javascript", body: live });

  await stage.open(await stage.link([DRAFT]));

  assert.equal(await stage.headline(), "Hello");
  assert.equal(stage.asked.length, 2);
});
