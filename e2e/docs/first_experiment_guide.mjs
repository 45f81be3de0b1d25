/** Somebody follows docs/guides/first-experiment.md on the demo: its commands as they stand there, its buttons by their names. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { BINARY, startAssay } from "../site/assay.mjs";
import { openBrowser } from "../site/browser.mjs";
import { blocksOf } from "./documents.mjs";

const run = promisify(execFile);
const GUIDE = "docs/guides/first-experiment.md";
const STORY_MS = 120_000;

/** Where the guide says the demo is. */
const PRINTED_URL = "http://127.0.0.1:8080";

let assay, browser, folder, text, commands;

before(async () => {
  [assay, browser, folder] = await Promise.all([startAssay(), openBrowser(), mkdtemp(join(tmpdir(), "assay-guide-"))]);
  text = await readFile(new URL(`../../${GUIDE}`, import.meta.url), "utf8");
  commands = blocksOf(GUIDE, text).filter(({ language }) => language === "sh").map(({ code }) => code);
});

after(async () => {
  await browser.close();
  await assay.stop();
  await rm(folder, { recursive: true });
});

/** Runs a block of the guide, told by how it begins, in a shell. */
const runs = async (beginning, environment = {}) => {
  const command = commands.find((code) => code.startsWith(beginning));
  assert.ok(command, `${GUIDE} has a command that begins with \`${beginning}\``);
  const here = command.replaceAll(PRINTED_URL, assay.url).replaceAll("--data ./first", `--data ${assay.data}`).replace("assay_pat_…", "$TOKEN");
  const PATH = `${dirname(BINARY)}:${process.env.PATH}`;
  const { stdout } = await run("bash", ["-euc", here], { cwd: folder, env: { ...process.env, PATH, ...environment } });
  return stdout;
};

/** Four strangers: with two variations, all of them would see the new text once in 16 times. */
const seenByOthers = async () => {
  for (let count = 0; count < 4; count += 1) {
    const context = await browser.newContext();
    const visitor = await context.newPage();
    await visitor.goto(assay.demoUrl);
    assert.equal(await visitor.locator(".hero .button").innerText(), "Choose your mug");
    await context.close();
  }
};

/** Each name of a button or field in the story stands in the guide, in italics. */
const named = (name) => {
  assert.ok(text.includes(`*${name}*`), `${GUIDE} names *${name}*`);
  return name;
};

test("the guide leads from a question to a winner that everybody sees", { timeout: STORY_MS }, async () => {
  const plan = await runs("assay plan");
  const printed = blocksOf(GUIDE, text).find(({ language }) => language === "text");
  assert.equal(plan.trim(), printed.code.trim(), "the guide shows what the planner says");

  const page = await browser.newPage();
  await page.goto(assay.url);
  await page.getByLabel("E-mail").fill(assay.member.email);
  await page.getByLabel("Password").fill(assay.member.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("link", { name: "Demo shop" }).click();
  await page.getByRole("link", { name: named("Campaigns"), exact: true }).first().click();
  await page.getByRole("link", { name: named("New campaign") }).click();
  await page.getByLabel(named("Name"), { exact: true }).first().fill("Clear button");
  await page.getByLabel(named("Hypothesis")).fill("A button that says where it leads is pressed more often.");
  await page.getByLabel(named("Front page (home)")).check();
  await page.getByRole("group", { name: "Add a change to Variation" }).getByRole("button", { name: named("Text") }).click();
  await page.getByLabel(named("CSS selector")).fill(".hero .button");
  await page.getByLabel(named("New text")).fill("Choose your mug");
  await page.getByRole("button", { name: named("Add to the draft") }).click();
  await page.getByRole("button", { name: named("Start") }).click();
  await page.getByRole("button", { name: "Pause", exact: true }).first().waitFor();

  const token = /assay_pat_\S+/.exec(await runs("assay token add"))?.[0];
  assert.match(await runs("export ASSAY_TOKEN", { TOKEN: token }), /2500 of 2500 visitors/);

  await page.getByRole("link", { name: named("Results"), exact: true }).click();
  const verdict = await page.locator("main").innerText();
  assert.match(verdict, new RegExp(named("A winner")));
  assert.match(verdict, /With Variation, between [\d.]+ % and [\d.]+ % more visitors convert on find_mug than with Original/);

  await page.getByRole("link", { name: named("Conclude with Variation…") }).click();
  await page.getByLabel("Variation", { exact: true }).check();
  await page.getByLabel(named("Ship the winner")).check();
  await page.getByRole("button", { name: named("Conclude"), exact: true }).click();
  await page.getByText("concluded").first().waitFor();
  await seenByOthers();
});
