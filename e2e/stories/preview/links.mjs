/** A person gets a preview link, looks around, and has seen enough. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { DRAFT, RUNNING, setPreviewStage, TAG } from "../../site/previewStage.mjs";
import { HOME } from "../../site/routedSite.mjs";

const stage = setPreviewStage();

test("a link shows a variation of a campaign that does not run, before the page goes on", async () => {
  await stage.open(await stage.link([DRAFT]));

  assert.equal(await stage.headline(), "Draft");
  assert.equal(await stage.wasThereAtOnce(), true);
  assert.deepEqual(await stage.page.evaluate(() => window.experimentation.get("state").getActiveExperimentIds()), ["24001", "24002"]);
});

test("a link shows a variation that no visitor is given", async () => {
  await stage.open(await stage.link([RUNNING]));

  assert.equal(await stage.headline(), "Running");
});

test("a change that finds nothing is named in the console", async () => {
  // What the parser puts into a template is not in the page.
  stage.tag = `${TAG}<template>`;
  await stage.page.clock.install();

  await stage.open(await stage.link([DRAFT]));
  await stage.page.clock.runFor(3000);

  assert.deepEqual(stage.warnings, ["experimentation: a change finds nothing: h1"]);
});

test("a person without a link sees what visitors see, and no preview is asked for", async () => {
  await stage.open(`${HOME}?experimentation_x=${RUNNING}`);

  assert.equal(await stage.headline(), "Hello");
  assert.deepEqual(stage.asked, ["/js/1000.js"]);
});

test("commands that wait are worked off by the preview, once", async () => {
  const before = `<script>window.heard = 0; window.experimentation = [{type: "addListener", filter: {name: "initialized"}, handler: () => heard++}];</script>`;
  stage.tag = before + stage.tag;

  await stage.open(await stage.link([DRAFT]));

  assert.equal(await stage.page.evaluate(() => window.heard), 1);
});

test("the preview lasts while clicking through, in that tab only, until it is ended", async () => {
  await stage.open(await stage.link([DRAFT]));
  await stage.page.getByRole("link", { name: "Other" }).click();
  await stage.page.waitForURL("**/other", { waitUntil: "networkidle" });
  assert.equal(await stage.headline(), "Draft");

  const tab = stage.page;
  await stage.openTab();
  await stage.open("/other");
  assert.equal(await stage.headline(), "Hello");

  stage.page = tab;
  await stage.open("/other?experimentation_preview=off");
  assert.equal(await stage.headline(), "Hello");
  await stage.open("/other");
  assert.equal(await stage.headline(), "Hello");
  assert.deepEqual(stage.warnings, ["experimentation: no preview: this tab shows what visitors see again"]);
});

test("an altered link shows what visitors see, and says so once", async () => {
  const link = await stage.link([DRAFT]);

  await stage.open(link.replace("assay_pv.1000.", "assay_pv.1000.0"));
  assert.equal(await stage.headline(), "Hello");
  await stage.open("/other");

  assert.equal(await stage.headline(), "Hello");
  assert.deepEqual(stage.warnings, [
    "experimentation: no preview: this link is not as it was made, or belongs to another server",
  ]);
});

test("a text that is no token causes no request", async () => {
  for (const token of ["", "%22%3E%3Cscript%3E", "a%2Fb", "a'b"]) {
    await stage.open(`/?experimentation_preview=${token}`);
  }

  assert.deepEqual(new Set(stage.asked), new Set(["/js/1000.js"]));
});

test("a previewed variation is not remembered", async () => {
  await stage.open(await stage.link([RUNNING, DRAFT]));
  await stage.openTab();

  await stage.open();

  assert.equal(await stage.headline(), "Hello");
  const map = await stage.page.evaluate(() => window.experimentation.get("state").getVariationMap());
  assert.deepEqual(map, { 24001: { id: "314001", name: "Original", index: 0 } });
});
