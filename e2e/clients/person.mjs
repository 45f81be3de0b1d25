/** A person with a browser that only knows links, cookies and forms: signs in and answers the consent page. See stories.mjs. */

const ENTITY = /&#(\d+);/g;
const HIDDEN_FIELD = /<input type="hidden" name="([^"]*)" value="([^"]*)">/g;
const FORM_ACTION = /<form[^>]* action="([^"]*)"/;

const unescaped = (text) => text.replace(ENTITY, (_, code) => String.fromCodePoint(Number(code)));

export class Person {
  #cookies = new Map();

  /** @param {{email: string, password: string}} member */
  constructor(member) {
    this.member = member;
  }

  /** Opens an application's authorization request, answers what is asked, and gives the address where the application is told. */
  async answer(authorizationUrl, decision) {
    const { origin } = new URL(authorizationUrl);
    let page = await this.#follow(await this.#fetch(authorizationUrl), origin);
    if (page.html?.includes('name="password"')) page = await this.#submit(page, this.member, origin);
    if (page.html?.includes('name="decision"')) page = await this.#submit(page, { decision }, origin);
    if (page.html) throw new Error(`a page that was not expected: ${page.html}`);
    return page.leftFor;
  }

  async #submit({ url, html }, filledIn, origin) {
    const hidden = [...html.matchAll(HIDDEN_FIELD)].map(([, name, value]) => [name, unescaped(value)]);
    const action = new URL(unescaped(html.match(FORM_ACTION)[1]), url);
    const body = new URLSearchParams([...hidden, ...Object.entries(filledIn)]);
    return this.#follow(await this.#fetch(action, { method: "POST", body }), origin);
  }

  /** Goes where the server sends us, until there is a page or it sends us elsewhere. */
  async #follow(response, origin) {
    const location = response.headers.get("location");
    if (!location) return { url: response.url, html: await response.text() };
    const next = new URL(location, response.url);
    return next.origin === origin ? this.#follow(await this.#fetch(next), origin) : { leftFor: String(next) };
  }

  async #fetch(url, options = {}) {
    const cookie = [...this.#cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(url, { ...options, redirect: "manual", headers: { cookie } });
    for (const header of response.headers.getSetCookie()) {
      const [pair] = header.split(";");
      this.#cookies.set(...pair.split("="));
    }
    return response;
  }
}
