/** The pages of the console, as a member finds them by their links: one of each kind. */

/** What is not the console: the demo's shop, what programs read, and files. Links with `download` lead to files, too. */
const ELSEWHERE = /^\/(demo|v1|js)(\/|$)/;

/** Names of what there can be many of, in an address. */
const NAME = /[\d@%]/;

/** The address with `{}` for such names: pages of one kind look alike. */
const kindOf = (url) =>
  url.pathname
    .split("/")
    .map((segment) => (NAME.test(segment) ? "{}" : segment))
    .join("/");

/**
 * Opens one page of each kind in a tab whose member is signed in, and lets the story look.
 * @param {import("playwright-core").Page} page
 * @param {string} start
 * @param {(kind: string) => Promise<void>} look
 * @returns {Promise<string[]>} the kinds
 */
export const everyPage = async (page, start, look) => {
  const ahead = new Map([["/", start]]);
  // A map goes on to what is added to it on the way.
  for (const [kind, address] of ahead) {
    const answer = await page.goto(address);
    if (!answer?.headers()["content-type"]?.startsWith("text/html")) continue;
    const links = await page.locator("a[href]:not([download])").evaluateAll((anchors) => anchors.map(({ href }) => href));
    await look(kind);
    const ours = links.map((href) => new URL(href)).filter(({ origin, pathname }) => origin === new URL(start).origin && !ELSEWHERE.test(pathname));
    for (const url of ours) if (!ahead.has(kindOf(url))) ahead.set(kindOf(url), url.href);
  }
  return [...ahead.keys()];
};
