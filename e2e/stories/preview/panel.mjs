/** A person who looks at a preview sees in a panel what is shown and why, switches variations, and ends it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { accessibilityFaults } from "../../site/accessibility.mjs";
import { previewLink } from "../../site/commands.mjs";
import { DRAFT, setPreviewStage, TAG } from "../../site/previewStage.mjs";
import { HOME } from "../../site/routedSite.mjs";

const stage = setPreviewStage();

const PHONE = { width: 390, height: 844 };

const openPanel = async (...options) => {
  await stage.open(await previewLink(stage.assay, HOME, [DRAFT], options));
  return stage.page.getByRole("region", { name: "Preview" });
};

/** What axe says of the panel: the page around it is not ours. */
const faults = async () => (await accessibilityFaults(stage.page)).filter((fault) => !/<html|<h1|<a href/.test(fault));

test("a panel tells, switches, folds and ends, under a policy that lets no style in", async () => {
  stage.headers = { "content-security-policy": "default-src 'none'; script-src 'self' 'nonce-abc'" };
  const panel = await openPanel("--switchable");
  const choice = panel.getByRole("combobox");
  assert.equal(await stage.headline(), "Draft");
  assert.match(await panel.innerText(), /Shown on this page/);
  await panel.getByText("1 other campaign").click();
  assert.match(await panel.innerText(), /“Original” is shown/);
  assert.deepEqual(await faults(), []);

  await choice.selectOption("Original");
  await stage.page.locator("h1", { hasText: "Hello" }).waitFor();
  await choice.press("Escape");
  assert.equal(await choice.isVisible(), false);

  await panel.getByRole("button", { name: "Preview", exact: true }).click();
  await panel.getByRole("button", { name: "End the preview" }).click();
  await panel.waitFor({ state: "detached" });
  assert.equal(new URL(stage.page.url()).search, "");
  assert.equal(await stage.headline(), "Hello");
});

test("on a phone the panel leaves the page free, and stays whatever the page does to itself", async () => {
  await stage.page.setViewportSize(PHONE);
  const panel = await openPanel();
  const toggle = panel.getByRole("button", { name: "Preview", exact: true });
  assert.ok((await panel.boundingBox()).height < 60);

  await stage.page.evaluate(() => {
    document.body.innerHTML += "<p>More</p>";
    history.pushState({}, "", "/elsewhere");
    document.documentElement.replaceChildren(document.head, document.createElement("body"));
  });
  await toggle.waitFor();
  await stage.page.evaluate(() => {
    const page = document.createElement("html");
    page.append(document.head, document.createElement("body"));
    document.documentElement.replaceWith(page);
  });
  await toggle.click();

  assert.ok((await panel.boundingBox()).height <= PHONE.height / 2);
  assert.equal(await panel.getByRole("combobox").count(), 0);
  assert.deepEqual(await faults(), []);
});

test("a page that loads its snippet twice has one panel", async () => {
  stage.tag = TAG + TAG;
  await stage.page.clock.install();

  const panel = await openPanel();
  await stage.page.clock.runFor(5_000);

  assert.equal(await panel.count(), 1);
  assert.match(await panel.innerText(), /Shown on this page/);
});
