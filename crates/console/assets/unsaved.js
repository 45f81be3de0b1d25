/**
 * Unsaved work: a form with `data-unsaved` (the member's id) is kept in this browser while its member types, and is there again after a
 * reload or a new sign-in, until it is saved or discarded. `templates/edit/page.html` has the form; nothing here is needed to save it.
 * A page without a form, such as a campaign's, has `data-unsaved` and `data-forget` where it tells that one was saved.
 */

/** @typedef {[name: string, value: string]} Field */
/** @typedef {{at: number, etag: string, fields: Field[]}} Kept */

const PREFIX = "assay-unsaved";

/** A member who has not come back to a form after a month starts anew. */
const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000;

/** A pause in typing, after which the form is kept. */
const PAUSE_MS = 300;

/** @type {HTMLFormElement | null} */
const form = document.querySelector("form[data-unsaved]");

/** What tells whose work it is, and which form was just saved: the form, or what stands for it on a page without one. @type {HTMLElement | null} */
const marked = form ?? document.querySelector("[data-unsaved]");
const notice = document.querySelector("[data-unsaved-notice]");
const saves = "BroadcastChannel" in window ? new BroadcastChannel(PREFIX) : null;

/** @param {string} path */
const keyOf = (path) => `${PREFIX} ${marked.dataset.unsaved} ${path}`;

/** @param {HTMLFormElement} from @returns {Field[]} what the form would send, but for secrets and buttons */
const fieldsOf = (from) => {
  const secrets = new Set(["csrf", ...Array.from(from.querySelectorAll("input[type=password]"), ({ name }) => name)]);
  return Array.from(new FormData(from)).filter(([name]) => !secrets.has(name) && !name.startsWith("kind "));
};
const typed = () => fieldsOf(form);

/** What the server has sent: a member may have typed before this script arrived, and a browser may have filled the form in again. */
const sent = () => {
  const copy = form.cloneNode(true);
  copy.reset();
  return fieldsOf(copy);
};

/** A browser may refuse its storage, or have none left: then nothing is kept. */
const attempt = (use) => {
  try {
    return use();
  } catch {
    return null;
  }
};

/** @returns {Kept | null} */
const kept = (key) => attempt(() => JSON.parse(localStorage.getItem(key)));
const forget = (key) => attempt(() => localStorage.removeItem(key));
const valueOf = (fields, wanted) => fields.findLast(([name]) => name === wanted)?.[1];

const forgetOld = () =>
  attempt(() => {
    const ours = Object.keys(localStorage).filter((key) => key.startsWith(`${PREFIX} `));
    ours.filter((key) => !(Date.now() - kept(key)?.at < KEPT_FOR_MS)).forEach(forget);
  });

/** Fills in what was kept of a form with the same structure. */
const fillIn = (fields) => {
  for (const element of form.elements) {
    const values = fields.filter(([name]) => name === element.name).map(([, value]) => value);
    if (values.length === 0 || element.type === "hidden" || element.type === "submit") continue;
    if (element.type === "checkbox") element.checked = values.includes(element.value);
    else element.value = values.at(-1);
    // For what shows more than the field, such as the numbers of its lines.
    element.dispatchEvent(new Event("input"));
  }
};

/** Lets the server show a form with another structure, or one that was made from an earlier version. */
const sendBack = (fields) => {
  const back = document.createElement("form");
  back.method = "post";
  back.action = form.action;
  for (const [name, value] of [...fields, ["csrf", form.elements.csrf.value], ["act", "show"]]) {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name, value });
    back.append(input);
  }
  document.body.append(back);
  back.submit();
};

/** @param {string} words @param {[string, () => void][]} buttons */
const tell = (words, buttons) => {
  const shown = buttons.map(([label, act]) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "link", textContent: label });
    button.addEventListener("click", act);
    return button;
  });
  notice.replaceChildren(`${words} `, ...shown.flatMap((button) => [button, " "]));
  notice.hidden = false;
};

/** Forgets a form that was saved, and tells the other tabs with it. */
const forgetSaved = ({ path, forget: saved, etag }) => {
  if (!saved) return;
  forget(keyOf(saved));
  saves?.postMessage({ path, etag });
  // A reload of this page is no second save.
  history.replaceState(null, "", location.pathname);
};

const start = () => {
  const { path, typed: isTyped } = form.dataset;
  const key = keyOf(path);
  const etag = form.elements.etag.value;
  const pristine = JSON.stringify(sent());
  forgetOld();

  const keep = () => {
    const fields = typed();
    if (!isTyped && JSON.stringify(fields) === pristine) forget(key);
    else attempt(() => localStorage.setItem(key, JSON.stringify({ at: Date.now(), etag, fields })));
  };
  let pause = 0;
  const keepSoon = () => {
    clearTimeout(pause);
    pause = setTimeout(keep, PAUSE_MS);
  };
  let isPending = JSON.stringify(typed()) !== pristine;
  form.addEventListener("input", () => {
    isPending = true;
    keepSoon();
  });
  window.addEventListener("pagehide", () => {
    if (isPending) keep();
  });

  const found = kept(key);
  if (isTyped) keep();
  else if (found && Array.isArray(found.fields)) offer(found, { etag, discard: () => { isPending = false; forget(key); location.reload(); } });

  saves?.addEventListener("message", ({ data }) => {
    if (data?.path === path && data.etag !== etag) {
      tell("This was saved in another tab, so this form is older.", [["Show the newer one", () => location.reload()]]);
    }
  });
};

/** @param {Kept} found */
const offer = ({ at, etag: since, fields }, { etag, discard }) => {
  const time = new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const isAlike = since === etag && valueOf(fields, "now") === form.elements.now.value;
  if (isAlike) {
    fillIn(fields);
    tell(`Unsaved changes from ${time} are filled in.`, [["Discard them", discard]]);
    return;
  }
  const meanwhile = since === etag ? "" : " Another version was saved meanwhile; when you save, you see both.";
  tell(`There are unsaved changes from ${time}.${meanwhile}`, [
    ["Restore them", () => sendBack(fields)],
    ["Discard them", discard],
  ]);
};

if (marked) forgetSaved(marked.dataset);
if (form && notice) start();
