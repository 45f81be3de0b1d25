/** A site with a strict policy, a server with a campaign for it, and a member with the console and the visual editor in two windows. */

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "node:test";

import { startAssay } from "./assay.mjs";
import { openBrowser } from "./browser.mjs";
import { addMember, previewLink } from "./commands.mjs";
import { Member } from "./member.mjs";
import { abTest, everywhere, project } from "./projects.mjs";
import { HOME } from "./routedSite.mjs";

const SHOP = project({
  snippet: { preview: true },
  pages: [everywhere({ key: "home" })],
  campaigns: [abTest({ weights: [0, 10000], changes: [undefined, [{ type: "text", selector: "h2", value: "Second" }]] })],
});

export const VARIATION = "324001";
const PAGE = `/projects/1000/variations/${VARIATION}/visual`;

/** Nothing but the site's own: no inline style or script, and no request from a script. */
const POLICY = "default-src 'none'; script-src 'self'; img-src 'self'";

const BODY = `<h1>Hello</h1><h2>Two</h2><img id="hero" alt="old" src="/a.png"><ul><li>A</li><li>B</li></ul>
<button class="buy">Buy</button> <a href="/other">Other</a><script src="/app.js"></script>`;

export const setVisualStage = () => {
  const stage = new VisualStage();
  before(async () => {
    stage.browser = await openBrowser();
    stage.assay = await startAssay({ seed: SHOP });
    stage.ada = await addMember(stage.assay, "ada@example.com");
  });
  beforeEach(() => stage.arrive());
  afterEach(async () => {
    await stage.console.leave();
    assert.deepEqual(stage.faults, []);
  });
  after(async () => {
    await stage.browser?.close();
    await stage.assay?.stop();
  });
  return stage;
};

class VisualStage {
  /** What pages of the site threw or were refused, and what they warned of. */
  faults;
  warnings;
  /** The site's page: its content, its own script, and its headers. */
  body;
  app;
  headers;
  /** @type {Member} */
  console;

  async arrive() {
    Object.assign(this, { faults: [], warnings: [], body: BODY, app: "", headers: { "content-security-policy": POLICY } });
    this.console = await this.signedIn(this.ada);
  }

  /** A browser of a member, who is signed in, at the page from which the editor is opened. */
  async signedIn(member) {
    const context = await this.visitor();
    const signedIn = new Member(await context.newPage(), { ...this.assay, member });
    await signedIn.open(this.assay.url + PAGE);
    await signedIn.signIn();
    return signedIn;
  }

  /** A browser that can reach the site. */
  async visitor() {
    const context = await this.browser.newContext();
    await context.route(`${HOME}**`, (route) => this.#answer(route));
    return context;
  }

  async #answer(route) {
    const { pathname, search } = new URL(route.request().url());
    if (pathname.startsWith("/js/")) {
      return route.fulfill({ response: await route.fetch({ url: this.assay.url + pathname + search }) });
    }
    if (pathname === "/app.js") return route.fulfill({ contentType: "text/javascript", body: this.app });
    if (pathname === "/a.png") return route.fulfill({ status: 404 });
    const body = `<!doctype html><title>Shop</title><script src="/js/1000.js"></script>${this.body}`;
    return route.fulfill({ contentType: "text/html", headers: this.headers, body });
  }

  /** Opens the editor as a member does; the window in which it is. */
  async openEditor(address = HOME) {
    const { page } = this.console;
    await page.getByLabel("Address of the page").fill(address);
    const opening = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Open the page" }).click();
    const editor = await opening;
    editor.on("pageerror", (error) => this.faults.push(String(error)));
    editor.on("console", (message) => {
      if (message.type() === "warning") this.warnings.push(message.text());
      if (/Content Security Policy/.test(message.text())) this.faults.push(message.text());
    });
    await editor.waitForURL(`${HOME}**`, { waitUntil: "load" });
    return editor;
  }

  /** What the console lists. */
  listed() {
    return this.console.page.locator("#list li > span");
  }

  /** Saves, and waits until the draft has it. */
  async save(page = this.console.page) {
    await page.getByRole("button", { name: "Save to the draft" }).click();
    await page.getByText("Saved to the draft.").waitFor();
  }

  /** Another member saves a list of changes meanwhile. */
  async savedBy(member, changes) {
    const other = await this.signedIn(member);
    await other.page.getByText("The editor could not connect").click();
    await other.page.getByLabel("Paste the changes that it shows").fill(JSON.stringify(changes));
    await other.page.getByRole("button", { name: "Use these changes" }).click();
    await this.save(other.page);
    await other.leave();
  }

  /** What another browser gets by a link to the draft. */
  async openedElsewhere() {
    const page = await (await this.visitor()).newPage();
    await page.goto(await previewLink(this.assay, HOME, [VARIATION], ["--draft"]), { waitUntil: "networkidle" });
    return page;
  }
}
