/** The demo shop in one visitor's browser: what a visitor does there, and what can be seen. */

const ID_COOKIE = "experimentation_id";

/** What a visitor without a name of their own brings: nothing. */
export const NEW_VISITOR = undefined;

/**
 * A visitor with a fresh browser profile.
 * @param {import("playwright-core").Browser} browser
 * @param {{url: string, demoUrl: string}} site
 * @param {string | undefined} visitorId
 */
export const visitorOf = async (browser, site, visitorId) => visitorIn(await browser.newContext(), site, visitorId);

/** The same with a profile that is there already. */
export const visitorIn = async (context, { url, demoUrl }, visitorId) => {
  if (visitorId) await context.addCookies([{ name: ID_COOKIE, value: visitorId, url }]);
  return new Shop(await context.newPage(), demoUrl);
};

/** One tab on the shop. Whatever the browser complains about is kept in `complaints`. */
export class Shop {
  /**
   * @param {import("playwright-core").Page} page
   * @param {string} demoUrl
   */
  constructor(page, demoUrl) {
    this.page = page;
    this.demoUrl = demoUrl;
    /** @type {string[]} */
    this.complaints = [];
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("requestfailed", (request) => {
      // A browser that goes on to another page stops waiting for the icon of this one.
      const failure = request.failure()?.errorText;
      if (failure !== "net::ERR_ABORTED") this.complaints.push(`${request.url()}: ${failure}`);
    });
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.complaints.push(message.text());
    });
  }

  /** Opens a page of the shop, the front page if none is named. */
  async open(path = "") {
    await this.page.goto(this.demoUrl + path);
  }

  async reload() {
    await this.page.reload();
  }

  /** Presses the panel's button, which forgets the visitor and opens the front page. */
  async becomeNewVisitor() {
    await this.openPanel();
    await Promise.all([this.page.waitForEvent("load"), this.page.click("[data-new-visitor]")]);
  }

  /** On a narrow screen the panel is folded. */
  async openPanel() {
    const toggle = this.page.locator("[data-panel] [aria-expanded]");
    if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
  }

  headline() {
    return this.page.locator("h1").innerText();
  }

  ribbons() {
    return this.page.locator(".ribbon").allInnerTexts();
  }

  path() {
    return new URL(this.page.url()).pathname;
  }

  visitorId() {
    return this.page.evaluate(() => window.experimentation.get("visitor").visitorId);
  }

  /** What a function of the state module returns. */
  ask(name, ...args) {
    return this.page.evaluate(
      ([called, given]) => window.experimentation.get("state")[called](...given),
      [name, args],
    );
  }

  /** What the panel shows for a function of the state module. */
  async panelShows(name) {
    return JSON.parse(await this.page.locator(`[data-panel="${name}"]`).textContent());
  }

  async leave() {
    await this.page.context().close();
  }
}
