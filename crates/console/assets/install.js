/**
 * The installed check, live: asks for this page again every few seconds until the snippet is seen on the site, and shows the check as the
 * page has it then. Without JavaScript the check has a link that does the same.
 */

const EVERY_MS = 3_000;

const check = () => document.getElementById("installed");

const isWaiting = () => check()?.dataset.state === "waiting";

/** The check of the page as it is now; nothing if the member is signed out or the server does not answer. */
const ask = async () => {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.getElementById("installed");
};

/** The element stays, since screen readers listen to it, and what the member has opened stays open. */
const show = (now) => {
  const section = check();
  const isOpen = section.querySelector("details")?.open ?? false;
  const hadFocus = section.contains(document.activeElement);
  section.dataset.state = now.dataset.state;
  section.replaceChildren(...document.adoptNode(now).childNodes);
  const details = section.querySelector("details");
  if (details) details.open = isOpen;
  if (hadFocus) section.querySelector("summary, a, button")?.focus();
};

/** What the server said last. A browser that translates the page changes what it shows. */
let said = check()?.innerHTML;

const look = async () => {
  if (!document.hidden) {
    const now = await ask().catch(() => null);
    if (now && now.innerHTML !== said) {
      said = now.innerHTML;
      show(now);
    }
  }
  if (isWaiting()) setTimeout(look, EVERY_MS);
};

if (isWaiting()) setTimeout(look, EVERY_MS);
