/** The steps of docs/guides/first-experiment.md on the demo: its commands as they stand there, its buttons by their names. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import { BINARY } from "../site/assay.mjs";
import { ROOT, blocksOf } from "./documents.mjs";

const run = promisify(execFile);
const GUIDE = "docs/guides/first-experiment.md";

/** Where the guide says the demo is. */
const PRINTED_URL = "http://127.0.0.1:8080";

/** A reader of the guide, who takes its steps in the order in which they stand here. */
export class FirstExperiment {
  /** The reader's tab with the console. */
  page;
  #assay;
  #folder;
  #text;
  #blocks;

  /**
   * @param {import("../site/assay.mjs").Assay} assay the demo
   * @param {import("playwright-core").Page} page
   */
  static async begin(assay, page) {
    const reader = new FirstExperiment();
    reader.page = page;
    reader.#assay = assay;
    reader.#folder = await mkdtemp(join(tmpdir(), "assay-guide-"));
    reader.#text = await readFile(join(ROOT, GUIDE), "utf8");
    reader.#blocks = blocksOf(GUIDE, reader.#text);
    return reader;
  }

  end() {
    return rm(this.#folder, { recursive: true });
  }

  /** What the planner says, and what the guide shows of it. */
  async plan() {
    const printed = this.#blocks.find(({ language }) => language === "text").code;
    return { said: await this.#runs("assay plan"), printed };
  }

  async signIn() {
    const { page } = this;
    await page.goto(this.#assay.url);
    await page.getByLabel("E-mail").fill(this.#assay.member.email);
    await page.getByLabel("Password").fill(this.#assay.member.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("link", { name: "Demo shop" }).click();
  }

  async describeCampaign() {
    const { page } = this;
    await this.#link("Campaigns").first().click();
    await this.#link("New campaign").click();
    await page.getByLabel(this.#named("Name"), { exact: true }).first().fill(this.#typed("Clear button"));
    await page.getByLabel(this.#named("Hypothesis")).fill(this.#hypothesis());
    await page.getByLabel(this.#named("Front page (home)")).check();
    await page.getByRole("group", { name: "Add a change to Variation" }).getByRole("button", { name: this.#named("Text") }).click();
    await page.getByLabel(this.#named("CSS selector")).fill(this.#typed(".hero .button"));
    await page.getByLabel(this.#named("New text")).fill(this.#typed("Choose your mug"));
  }

  async addToDraft() {
    await this.#button("Add to the draft").click();
    await this.#button("Start").waitFor();
  }

  /**
   * Makes the link and opens it, and goes back to the campaign.
   * @param {import("playwright-core").Page} other the tab that the link is opened in
   */
  async preview(other) {
    const { page } = this;
    const campaign = page.url();
    await this.#link("Preview").last().click();
    await page.getByLabel(this.#named("Address of the page")).fill(this.#typed(`${PRINTED_URL}/demo/`));
    await this.#button("Make the link").click();
    await other.goto(await this.#link("Open it").getAttribute("href"));
    await page.goto(campaign);
  }

  async start() {
    await this.#button("Start").click();
    await this.page.getByRole("button", { name: "Pause", exact: true }).first().waitFor();
  }

  /** What the simulation of visitors says at its end. */
  async haveVisitors() {
    const token = /assay_pat_\S+/.exec(await this.#runs("assay token add"))?.[0];
    return this.#runs("export ASSAY_TOKEN", { TOKEN: token });
  }

  /** What the page of results says. */
  async openResults() {
    await this.#link("Results").click();
    await this.page.getByRole("heading", { name: this.#named("A winner") }).waitFor();
    return this.page.locator("main").innerText();
  }

  async conclude() {
    const { page } = this;
    await this.#link("Conclude with Variation…").click();
    await page.getByLabel("Variation", { exact: true }).check();
    await page.getByLabel(this.#named("Ship the winner")).check();
    await this.#button("Conclude").click();
    await page.getByText("concluded").first().waitFor();
  }

  #button(name) {
    return this.page.getByRole("button", { name: this.#named(name), exact: true });
  }

  #link(name) {
    return this.page.getByRole("link", { name: this.#named(name), exact: true });
  }

  /** The name of a button or a field: it stands in the guide, in italics. */
  #named(name) {
    assert.ok(this.#text.includes(`*${name}*`), `${GUIDE} names *${name}*`);
    return name;
  }

  /** What is typed into a field: it stands in the guide as code. */
  #typed(value) {
    assert.ok(this.#text.includes(`\`${value}\``), `${GUIDE} says to type \`${value}\``);
    return this.#here(value);
  }

  #hypothesis() {
    const quoted = /^> (.+)$/m.exec(this.#text);
    assert.ok(quoted, `${GUIDE} has a hypothesis`);
    return quoted[1].replaceAll("*", "");
  }

  /** Runs a block of the guide, told by how it begins, in a shell. */
  async #runs(beginning, environment = {}) {
    const command = this.#blocks.find(({ language, code }) => language === "sh" && code.startsWith(beginning))?.code;
    assert.ok(command, `${GUIDE} has a command that begins with \`${beginning}\``);
    const here = this.#here(command).replaceAll("--data ./first", `--data ${this.#assay.data}`).replace("assay_pat_…", "$TOKEN");
    const PATH = `${dirname(BINARY)}:${process.env.PATH}`;
    const { stdout } = await run("bash", ["-euc", here], { cwd: this.#folder, env: { ...process.env, PATH, ...environment } });
    return stdout;
  }

  #here(text) {
    return text.replaceAll(PRINTED_URL, this.#assay.url);
  }
}
