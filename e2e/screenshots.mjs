/**
 * Takes the pictures that the documents show, from the real product: `npm run screenshots`. Those of a guide are taken between
 * the steps that its test does, too. They are small enough to live in the repository and in the binary; this fails if one is not.
 */

import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { PNG } from "pngjs";

import { FirstExperiment } from "./docs/firstExperiment.mjs";
import { startAssay } from "./site/assay.mjs";
import { openWholeBrowser } from "./site/browser.mjs";
import { Member } from "./site/member.mjs";
import { visitorOf } from "./site/shop.mjs";
import { ADA, DAN } from "./site/visitors.mjs";

const MAX_BYTES = 100_000;

/** Wide enough for the shop and its open panel side by side. */
const WIDE = { width: 1280, height: 760 };
/** So narrow that the shop's panel begins folded, and that one can read the picture in a column of text. */
const NARROW = { width: 800, height: 720 };
/** The console, readable in a column of text, and so high that nothing needs to be scrolled. */
const WHOLE = { width: 1000, height: 4800 };

/** What is seen around the part of a page that matters. */
const MARGIN = 16;

/** Colours that are nearer to one another become one: gradients have most of a picture's bytes, and readers do not see the difference. */
const COLOUR_STEP = 4;

const assay = await startAssay();
const browser = await openWholeBrowser();
try {
  await takeDemo();
  await takeVisualEditor();
  await takeFirstExperiment();
} finally {
  await browser.close();
  await assay.stop();
}

async function takeDemo() {
  const shop = await visitorOf(browser, assay, DAN);
  await shop.page.setViewportSize(WIDE);
  await shop.open();
  await shop.openPanel();
  await save("demo.png", shop.page);
  await shop.leave();
}

async function takeVisualEditor() {
  const { page } = await visitorOf(browser, assay, DAN);
  const member = new Member(page, assay);
  await member.open(assay.url);
  await member.signIn();
  await page.getByRole("link", { name: "Demo shop" }).click();
  await page.getByRole("link", { name: "Preview", exact: true }).click();
  await page.getByRole("link", { name: "Short of Hero text" }).click();
  await page.getByLabel("Address of the page").fill(assay.demoUrl);
  const opening = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Open the page" }).click();
  const editor = await opening;
  await editor.setViewportSize({ ...NARROW, height: 800 });
  await editor.locator(".hero .button").click();
  await editor.getByLabel("Text", { exact: true }).hover();
  await save("visual-editor.png", editor);
  await member.leave();
}

async function takeFirstExperiment() {
  const page = await browser.newPage({ viewport: WHOLE });
  const reader = await FirstExperiment.begin(assay, page);
  try {
    await reader.signIn();
    await reader.describeCampaign();
    await takeForm(page);
    await reader.addToDraft();
    await takePreview(reader);
    await reader.start();
    await reader.haveVisitors();
    await reader.openResults();
    await save("results.png", page, [page.getByRole("region", { name: "A winner" }), page.locator("svg.forest").first()]);
  } finally {
    await reader.end();
  }
}

async function takeForm(page) {
  await page.locator(":focus").blur();
  await save("campaign-form.png", page, [page.locator("form.edit .fields").first()]);
  const heading = page.locator("legend").getByText("Variation", { exact: true });
  const further = page.getByRole("group", { name: "Add a change to Variation" });
  await save("text-change.png", page, [heading, further]);
}

async function takePreview(reader) {
  const shop = await visitorOf(browser, assay, ADA);
  await shop.page.setViewportSize(NARROW);
  await reader.preview(shop.page);
  await shop.page.getByRole("region", { name: "Preview" }).getByText("Why").click();
  await save("preview.png", shop.page);
  await shop.leave();
}

/** Saves what the window shows of a page, or of that what is from the first of these elements to the last. */
async function save(name, page, elements) {
  const taken = await page.screenshot({ clip: elements && (await around(elements)), animations: "disabled" });
  const bytes = withFewerColours(taken);
  if (bytes.length > MAX_BYTES) throw new Error(`docs/pictures/${name} has ${bytes.length} bytes, more than ${MAX_BYTES}`);
  await writeFile(fileURLToPath(new URL(`../docs/pictures/${name}`, import.meta.url)), bytes);
  console.log(`docs/pictures/${name}: ${bytes.length} bytes`);
}

async function around(elements) {
  const boxes = await Promise.all(elements.map((element) => element.boundingBox()));
  const [left, top] = ["x", "y"].map((side) => Math.min(...boxes.map((box) => box[side])) - MARGIN);
  const right = Math.max(...boxes.map(({ x, width }) => x + width)) + MARGIN;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + MARGIN;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Without filters and strategies for photographs, which flat colours of a page do not need. */
function withFewerColours(bytes) {
  const picture = PNG.sync.read(bytes);
  picture.data.forEach((value, at) => (picture.data[at] = Math.min(255, Math.round(value / COLOUR_STEP) * COLOUR_STEP)));
  return PNG.sync.write(picture, { colorType: 2, filterType: 0, deflateStrategy: 0 });
}
