/**
 * The console's side of the visual editor. It opens the member's page, hears from the editor there which changes were made, and saves
 * them when the member says so. A message counts only if it comes from that window, from the site's origin, and with the link's nonce;
 * even then it only shows in the list, because the site's own scripts can send one, too.
 */

/** @typedef {{type: string, selector?: string, value?: string | null, name?: string, to?: string, position?: string}} Change */

/** More than any list has; what is larger did not come from our editor. */
const BYTES_AT_MOST = 3_000_000;

const byId = (id) => document.getElementById(id);
const form = byId("open");
const section = byId("changes");
const { path, csrf } = form.dataset;
const KEPT = `assay-visual ${path}`;

const UNSAVED = "Not saved yet: save in the console’s window.";

/** What the draft has, as far as this page knows. */
let saved = { etag: section.dataset.etag, changes: JSON.parse(section.dataset.changes) };
/** @type {Change[]} */
let changes = saved.changes;
/** The version that the list was made from. */
let { etag } = saved;
/** @type {{window: Window, site: string, nonce: string} | undefined} */
let editor;
let isSaving = false;

const text = (list) => JSON.stringify(list);
const isUnsaved = () => text(changes) !== text(saved.changes);

/** @param {Change} change */
const wordsOf = ({ type, value, name, position, to }) => {
  switch (type) {
    case "style":
      return `style ${name}: ${value ?? "removed"}`;
    case "attribute":
      return value === null ? `attribute ${name} removed` : `attribute ${name}: ${value}`;
    case "insert":
      return `insert ${position}: ${value}`;
    case "move":
      return `move ${position} ${to}`;
    default:
      return value ? `${type}: ${value}` : type;
  }
};

const itemOf = (change, place) => {
  const words = document.createElement("span");
  const selector = document.createElement("code");
  selector.textContent = change.selector ?? "";
  words.append(wordsOf(change), selector);
  const remove = document.createElement("button");
  remove.type = "button";
  remove.textContent = "Take back";
  remove.setAttribute("aria-label", `Take back: ${wordsOf(change)} ${change.selector ?? ""}`);
  remove.onclick = () => {
    take(changes.filter((_, at) => at !== place));
    tell({ changes, isUndoable: true });
  };
  const item = document.createElement("li");
  item.append(words, remove);
  return item;
};

/** Shows the list. Focus in it stays at its place. */
const showList = () => {
  const items = byId("list");
  const place = [...items.children].findIndex((item) => item.contains(document.activeElement));
  items.replaceChildren(...changes.map(itemOf));
  if (place >= 0) {
    const next = items.children[Math.min(place, changes.length - 1)];
    (next?.querySelector("button") ?? byId("list-title")).focus();
  }
};

/** Gives the focus of a control that is gone, hidden or disabled to the list. */
const keepFocus = () => {
  if (document.activeElement === document.body || document.activeElement?.closest("[hidden], :disabled")) {
    byId("list-title").focus();
  }
};

const show = () => {
  showList();
  byId("none").hidden = changes.length > 0;
  byId("discard").disabled = !isUnsaved();
  // A second click would find a draft that the first one has changed.
  byId("save").disabled = isSaving || !isUnsaved();
};

/** @param {string} message */
const say = (message) => {
  byId("message").textContent = message;
  byId("problem").hidden = true;
};

/** @param {string[]} problems */
const complain = (problems, ...further) => {
  const lines = problems.map((problem) => Object.assign(document.createElement("p"), { textContent: problem }));
  byId("problem").replaceChildren(...lines, ...further);
  byId("problem").hidden = false;
  byId("message").textContent = "";
};

/** A list that is not saved yet survives a reload of this page. */
const keep = () => {
  if (isUnsaved()) {
    sessionStorage.setItem(KEPT, JSON.stringify({ etag, changes }));
  } else {
    sessionStorage.removeItem(KEPT);
  }
};

/** @param {Change[]} list */
const take = (list) => {
  changes = list;
  keep();
  show();
};

/** @param {{changes?: Change[], status?: string, isUndoable?: boolean}} message */
const tell = (message) => editor?.window.postMessage({ assay: "console", nonce: editor.nonce, ...message }, editor.site);

/** @returns {Change[] | undefined} a list of changes, and nothing else */
const listOf = (data) => {
  const isChange = (one) => typeof one === "object" && one !== null && typeof one.type === "string";
  return Array.isArray(data) && data.every(isChange) && text(data).length < BYTES_AT_MOST ? data : undefined;
};

addEventListener("message", ({ data, origin, source }) => {
  if (!editor || source !== editor.window || origin !== editor.site || data?.assay !== "editor" || data.nonce !== editor.nonce) {
    return;
  }
  if (data.type === "ready") {
    tell({ changes, status: "" });
    say("The editor is open. What you change there is listed here.");
    return;
  }
  const list = listOf(data.changes);
  if (list) {
    take(list);
    tell({ status: isUnsaved() ? UNSAVED : "Saved in the draft." });
  }
});

/** Sends a form of this page; without an answer of ours, the session has ended or the server is gone. */
const send = async (act, fields) => {
  const answer = await fetch(`${path}/${act}`, { method: "POST", body: new URLSearchParams({ csrf, ...fields }) }).catch(() => undefined);
  if (!answer?.headers.get("content-type")?.startsWith("application/json")) {
    const isRefused = answer && !answer.redirected;
    complain([isRefused ? "The server refused this. Reload the page and try again." : "Your session has ended, or the server does not answer. Sign in in another tab, then reload this page: it keeps the list."]);
    return undefined;
  }
  return { status: answer.status, ...(await answer.json()) };
};

/** Whether a window has no page yet. Of another site's page a script may not ask. */
const isEmpty = (opened) => {
  try {
    return opened.location.href === "about:blank";
  } catch {
    return false;
  }
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [width, height] = byId("width").value.split("x");
  // Browsers let a window open only while they answer a click; its address comes when the server has made it.
  const opened = window.open("", `assay-visual-${path}`, width ? `popup,width=${width},height=${height}` : "");
  if (!opened) {
    complain(["The browser kept the window from opening. Allow pop-ups for this page, and try again."]);
    return;
  }
  const answer = await send("open", { url: byId("url").value });
  if (!answer || answer.errors) {
    // The window may be the one in which an editor is open already.
    if (isEmpty(opened)) opened.close();
    if (answer) complain(answer.errors);
    return;
  }
  editor = { window: opened, site: answer.site, nonce: answer.nonce };
  opened.location = answer.url;
  say("The page is opening. If no editor appears there, the browser’s console of that page says why.");
});

byId("save").addEventListener("click", async () => {
  const sent = changes;
  isSaving = true;
  show();
  const answer = await send("save", { etag, changes: text(sent) });
  isSaving = false;
  show();
  if (answer?.status === 412) {
    showBoth(answer);
  } else if (answer?.errors) {
    complain(answer.errors);
  } else if (answer) {
    saved = answer;
    ({ etag } = saved);
    // The server writes a change its own way; what was changed meanwhile is newer, and stays.
    const isNewer = text(changes) !== text(sent);
    if (!isNewer) changes = saved.changes;
    keep();
    show();
    say(isNewer ? "Saved, but for what was changed meanwhile." : "Saved to the draft. Publish the project to show it to visitors.");
    tell(isNewer ? { status: UNSAVED } : { changes, status: "Saved in the draft." });
  }
  keepFocus();
});

/** The draft has changed since: the member sees both lists, and chooses. */
const showBoth = (current) => {
  const theirs = () => {
    saved = current;
    ({ etag } = saved);
    take(saved.changes);
    tell({ changes, status: "", isUndoable: true });
    say("This is the list in the draft. Undo in the editor brings yours back.");
    keepFocus();
  };
  const mine = () => {
    ({ etag } = current);
    byId("save").click();
  };
  const both = document.createElement("div");
  both.className = "both";
  both.append(
    versionOf("In the draft now", current.changes, "Use the draft’s list", theirs),
    versionOf("Yours, not saved", changes, "Save mine in its place", mine),
  );
  complain([`${current.by ?? "Another member"} has changed this variation since you opened this page. Nothing of yours is lost: choose which list the draft gets.`], both);
  byId("problem").focus();
  tell({ status: "Not saved: the draft has changed meanwhile. Choose in the console’s window." });
};

/** A list of changes under its heading, with the button that chooses it. */
const versionOf = (heading, list, words, act) => {
  const make = (tag, textContent) => Object.assign(document.createElement(tag), { textContent });
  const items = document.createElement("ul");
  items.append(...list.map((change) => make("li", `${wordsOf(change)} ${change.selector ?? ""}`)));
  const button = Object.assign(make("button", words), { type: "button", onclick: act });
  const version = document.createElement("section");
  version.append(make("h2", heading), list.length > 0 ? items : make("p", "No changes."), button);
  return version;
};

byId("discard").addEventListener("click", () => {
  ({ etag } = saved);
  take(saved.changes);
  tell({ changes, status: "", isUndoable: true });
  say("This is the list in the draft.");
  keepFocus();
});

byId("take").addEventListener("click", () => {
  let list;
  try {
    list = listOf(JSON.parse(byId("paste").value));
  } catch {
    // It is no JSON at all.
  }
  if (!list) {
    complain(["This is no list of changes. Copy all of what the editor shows."]);
    return;
  }
  take(list);
  tell({ changes, isUndoable: true });
  say("Look through the list, then save it.");
});

addEventListener("beforeunload", (event) => {
  if (isUnsaved()) event.preventDefault();
});

const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
if (kept) {
  ({ etag, changes } = kept);
  say("These changes are not saved yet.");
}
show();
