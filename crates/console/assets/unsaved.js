/**
 * Unsaved work: a form with `data-unsaved` (the member's id) is kept in this browser while its member types, and is there again after a
 * reload, Back or a new sign-in, until it is saved or discarded. `templates/edit/page.html` has the form; nothing here is needed to save it.
 * A page without a form, such as a campaign's, has `data-unsaved` and `data-forget` where it tells that one was saved.
 */

/** @typedef {[name: string, value: string]} Field */
/** @typedef {{at: number, etag: string, fields: Field[], tab: string}} Copy */

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

/** This tab: a form may be open in two. */
const TAB =
  attempt(() => {
    const known = sessionStorage.getItem(PREFIX) ?? String(Math.random());
    sessionStorage.setItem(PREFIX, known);
    return known;
  }) ?? "";

/** The copy that was sent back to the server, until its form arrives: one that cannot be shown is sent once. */
const SENT_BACK = `${PREFIX} sent back`;
const markOf = (key, { at }) => `${key} ${at}`;

/** @returns {Copy | null} */
const kept = (key) => attempt(() => JSON.parse(localStorage.getItem(key)));
const valueOf = (fields, wanted) => fields.findLast(([name]) => name === wanted)?.[1];

/** Each tab keeps its copy of a form under a name of its own, so that none writes over another's. */
const nameOf = (key, tab) => `${key} ${tab}`;
const keep = (key, copy) => attempt(() => localStorage.setItem(nameOf(key, copy.tab), JSON.stringify(copy)));
const forget = (key, { tab }) => attempt(() => localStorage.removeItem(nameOf(key, tab)));

/** What is kept of a form: by this tab, and by others or before this tab began anew, the newest first. @returns {{mine?: Copy, others: Copy[]}} */
const copies = (key) => {
  const names = attempt(() => Object.keys(localStorage)) ?? [];
  const all = names.filter((name) => name.startsWith(nameOf(key, ""))).map(kept);
  const readable = all.filter((copy) => Array.isArray(copy?.fields)).sort((one, other) => other.at - one.at);
  return { mine: readable.find(({ tab }) => tab === TAB), others: readable.filter(({ tab }) => tab !== TAB) };
};

/** Gives a copy to another tab, or to none. @returns {Copy} */
const moved = (key, copy, tab) => {
  forget(key, copy);
  const now = { ...copy, tab };
  keep(key, now);
  return now;
};
const setAside = (key, copy) => moved(key, copy, String(Math.random()));

/** Makes a copy this tab's; what the tab had until now stays beside it. */
const claim = (key, copy) => {
  const { mine } = copies(key);
  if (mine && mine.at !== copy.at) setAside(key, mine);
  moved(key, copy, TAB);
};

const forgetOld = () =>
  attempt(() => {
    const ours = Object.keys(localStorage).filter((key) => key.startsWith(`${PREFIX} `));
    ours.filter((key) => !(Date.now() - kept(key)?.at < KEPT_FOR_MS)).forEach((key) => localStorage.removeItem(key));
  });

/** Whether the member reloads the page or comes back to it, and so expects what they typed. */
const isRevisited = () => ["reload", "back_forward"].includes(performance.getEntriesByType("navigation")[0]?.type);

/** Says that this tab has the form, as long as it does, where browsers can tell. */
const sayOpen = (key) => navigator.locks?.request(nameOf(key, TAB), { mode: "shared" }, () => new Promise(() => {})).catch(() => {});

/** @returns {Promise<((copy: Copy) => boolean) | null>} whether the tab of a copy has the form still; `null` where browsers cannot tell */
const openTabs = async (key) => {
  const locks = await navigator.locks?.query().catch(() => undefined);
  return locks ? ({ tab }) => locks.held.some(({ name }) => name === nameOf(key, tab)) : null;
};

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
const sendBack = (key, copy) => {
  claim(key, copy);
  attempt(() => sessionStorage.setItem(SENT_BACK, markOf(key, copy)));
  const back = document.createElement("form");
  back.method = "post";
  back.action = form.action;
  for (const [name, value] of [...copy.fields, ["csrf", form.elements.csrf.value], ["act", "show"]]) {
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
  forget(keyOf(saved), { tab: TAB });
  saves?.postMessage({ path, etag });
  // A reload of this page is no second save.
  history.replaceState(null, "", location.pathname);
};

const timeOf = ({ at }) => new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

const start = () => {
  const { path, typed: isTyped } = form.dataset;
  const key = keyOf(path);
  const etag = form.elements.etag.value;
  const pristine = JSON.stringify(sent());
  // The answer to a button has an address that only takes forms: a reload or Back would send this one again, as it was then.
  if (location.pathname !== path) history.replaceState(null, "", path);
  forgetOld();
  sayOpen(key);

  let pause = 0;
  let isPending = !isRevisited() && JSON.stringify(typed()) !== pristine;
  const keepTyped = () => {
    clearTimeout(pause);
    isPending = false;
    const fields = typed();
    const isPristine = !isTyped && JSON.stringify(fields) === pristine;
    if (isPristine) forget(key, { tab: TAB });
    else keep(key, { at: Date.now(), etag, fields, tab: TAB });
  };
  form.addEventListener("input", () => {
    isPending = true;
    clearTimeout(pause);
    pause = setTimeout(keepTyped, PAUSE_MS);
  });
  window.addEventListener("pagehide", () => {
    if (isPending) keepTyped();
  });
  // A page that the browser had put aside may be older than what was kept or saved since.
  window.addEventListener("pageshow", ({ persisted }) => {
    const now = copies(key).mine?.fields;
    if (persisted && JSON.stringify(now ?? JSON.parse(pristine)) !== JSON.stringify(typed())) location.reload();
  });

  const discard = () => {
    clearTimeout(pause);
    isPending = false;
    forget(key, { tab: TAB });
    location.reload();
  };
  const { mine } = copies(key);
  const state = () => ({ etag, isTouched: isPending, keepTyped, discard });
  if (isTyped && !(isRevisited() && mine)) {
    keepTyped();
    tellSentBack(key, discard);
  } else if (mine) {
    offer(key, mine, state());
  } else {
    offerOther(key, state);
  }

  saves?.addEventListener("message", ({ data }) => {
    if (data?.path === path && data.etag !== etag) {
      tell("This was saved in another tab, so this form is older.", [["Show the newer one", () => location.reload()]]);
    }
  });
};

const tellFilledIn = (copy, discard) => tell(`Unsaved changes from ${timeOf(copy)} are filled in.`, [["Discard them", discard]]);

/** Tells of the copy that this form was made of, if it was. */
const tellSentBack = (key, discard) => {
  const mark = attempt(() => sessionStorage.getItem(SENT_BACK)) ?? "";
  attempt(() => sessionStorage.removeItem(SENT_BACK));
  const at = Number(mark.slice(markOf(key, { at: "" }).length));
  if (mark === markOf(key, { at })) tellFilledIn({ at }, discard);
};

/** Offers what was typed in a tab that is gone, the newest first; else tells of a tab that has the form now. */
const offerOther = async (key, state) => {
  const isOpen = await openTabs(key);
  const { others } = copies(key);
  const copy = others.find((one) => !isOpen?.(one));
  const [newest] = others;
  if (copy) {
    // Where browsers cannot tell, another tab may be typing it.
    const { isTouched, ...rest } = state();
    offer(key, copy, { ...rest, isTouched: isTouched || !isOpen });
  } else if (newest) {
    tell("Another tab has this form open, with unsaved changes.", [["Fill them in here", () => sendBack(key, newest)]]);
  }
};

/** @param {Copy} copy */
const offer = (key, copy, { etag, isTouched, keepTyped, discard }) => {
  const isOfSameVersion = copy.etag === etag;
  if (isOfSameVersion && !isTouched && valueOf(copy.fields, "now") === form.elements.now.value) {
    fillIn(copy.fields);
    claim(key, copy);
    tellFilledIn(copy, discard);
    return;
  }
  // What this tab shows after a reload is what it showed before.
  const wasSentBack = attempt(() => sessionStorage.getItem(SENT_BACK)) === markOf(key, copy);
  if (isOfSameVersion && isRevisited() && copy.tab === TAB && !wasSentBack) {
    sendBack(key, copy);
    return;
  }
  // It stays beside what is typed now, until the member decides.
  const offered = copy.tab === TAB ? setAside(key, copy) : copy;
  const meanwhile = isOfSameVersion ? "" : " Another version was saved meanwhile; when you save, you see both.";
  tell(`There are unsaved changes from ${timeOf(copy)}.${meanwhile}`, [
    [
      "Restore them",
      () => {
        keepTyped();
        sendBack(key, offered);
      },
    ],
    [
      "Discard them",
      () => {
        forget(key, offered);
        notice.hidden = true;
      },
    ],
  ]);
};

if (marked) forgetSaved(marked.dataset);
if (form && notice) start();
