/** A member in a browser, asked by an application for access: what they do on the pages of the authorization server. */

/** One tab of a member. */
export class Member {
  /**
   * @param {import("playwright-core").Page} page
   * @param {import("./assay.mjs").Assay} assay
   */
  constructor(page, assay) {
    this.page = page;
    this.assay = assay;
  }

  async open(url) {
    await this.page.goto(String(url));
  }

  /** @param {{email?: string, password?: string}} [differently] what the member types instead of what is right */
  async signIn(differently = {}) {
    const { email, password } = { ...this.assay.member, ...differently };
    await this.page.fill("input[name=email]", email);
    await this.page.fill("input[name=password]", password);
    await this.page.click("form button[type=submit]");
  }

  /** Answers the consent page, and gives the address the application is told the answer at. */
  async decide(decision) {
    const answered = this.untilSentBack();
    await this.page.click(`button[name=decision][value=${decision}]`);
    return answered;
  }

  /** The address of the application with the answer, as the browser asked for it: the page itself removes it at once. */
  async untilSentBack() {
    const address = this.assay.application.redirect_uri;
    const request = await this.page.waitForRequest((asked) => asked.isNavigationRequest() && asked.url().startsWith(address));
    return new URL(request.url());
  }

  /** What the page objects to. */
  alert() {
    return this.page.locator("[role=alert]:visible").innerText();
  }

  async leave() {
    await this.page.context().close();
  }
}
