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

/** The element stays: it is what screen readers listen to. */
const show = (now) => {
  check().dataset.state = now.dataset.state;
  check().replaceChildren(...document.adoptNode(now).childNodes);
};

const look = async () => {
  if (!document.hidden) {
    const now = await ask().catch(() => null);
    if (now && now.innerHTML !== check().innerHTML) show(now);
  }
  if (isWaiting()) setTimeout(look, EVERY_MS);
};

if (isWaiting()) setTimeout(look, EVERY_MS);
