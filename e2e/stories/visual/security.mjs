/** Only the editor in the window that the member opened adds to the list, and only a member who may edit gets an editor. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { addMember } from "../../site/commands.mjs";
import { HOME } from "../../site/routedSite.mjs";
import { setVisualStage } from "../../site/visualStage.mjs";

const stage = setVisualStage();

const forged = { assay: "editor", type: "changes", changes: [{ type: "text", selector: "h1", value: "Forged" }] };

test("a message with another nonce, or from another window or origin, changes nothing", async () => {
  const editor = await stage.openEditor();
  const { page } = stage.console;
  const nonce = new URL(editor.url()).searchParams.get("experimentation_preview").split(".")[6];

  await editor.evaluate((message) => window.opener.postMessage({ ...message, nonce: "guessed" }, "*"), forged);
  await page.evaluate((message) => window.postMessage(message, "*"), { ...forged, nonce });
  await editor.evaluate(() => document.body.append(document.createElement("iframe")));
  await editor.frames()[1].evaluate((message) => window.top.opener.postMessage(message, "*"), { ...forged, nonce });
  // The editor's own message comes behind those, and counts.
  await editor.locator("h1").click();
  await editor.getByLabel("Text", { exact: true }).fill("Genuine");
  await page.getByText("text: Genuine").waitFor();

  assert.equal(await page.getByText("Forged").count(), 0);
});

test("the editor hears the console only", async () => {
  const editor = await stage.openEditor();
  const nonce = new URL(editor.url()).searchParams.get("experimentation_preview").split(".")[6];

  await editor.evaluate((message) => window.postMessage(message, "*"), { assay: "console", nonce, changes: forged.changes });
  await editor.locator("h1").click();

  assert.equal(await editor.locator("h1").innerText(), "Hello");
});

test("a link that was altered brings no editor and says why", async () => {
  const editor = await stage.openEditor();
  const link = editor.url();
  const page = await (await stage.visitor()).newPage();
  const warnings = [];
  page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));

  await page.goto(link.replace("assay_ve.1000.324001", "assay_ve.1000.314001"), { waitUntil: "networkidle" });

  assert.equal(await page.getByRole("region", { name: "Visual editor" }).count(), 0);
  assert.deepEqual(warnings, ["experimentation: no preview: this link is not as it was made, or belongs to another server"]);
  await page.context().close();
});

test("a viewer is told who may edit", async () => {
  const viewer = await addMember(stage.assay, "vera@example.com", ["--role", "viewer"]);

  const member = await stage.signedIn(viewer);

  assert.match(await member.page.locator("main").innerText(), /role `?editor/);
  await member.leave();
});

test("a link opened on another site brings no editor", async () => {
  const editor = await stage.openEditor();
  const elsewhere = editor.url().replace(HOME, "http://other.shop.test/");
  const context = await stage.browser.newContext();
  await context.route("http://other.shop.test/**", async (route) => {
    const { pathname, search } = new URL(route.request().url());
    if (pathname.startsWith("/js/")) return route.fulfill({ response: await route.fetch({ url: stage.assay.url + pathname + search }) });
    return route.fulfill({ contentType: "text/html", body: `<!doctype html><script src="/js/1000.js"></script><h1>Hello</h1>` });
  });
  const page = await context.newPage();
  const warnings = [];
  page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));

  await page.goto(elsewhere, { waitUntil: "networkidle" });

  assert.deepEqual(warnings, ["experimentation: no editor: this link is for http://www.shop.test"]);
  await context.close();
});
