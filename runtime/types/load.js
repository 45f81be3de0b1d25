/** See `load.d.ts` for what each function promises; the compiler compares the two. */

/** @typedef {import("./index.js").Experimentation} Experimentation */

const TIMEOUT_SECONDS = 10;

/** @type {Map<string, Promise<Experimentation>>} */
const loading = new Map();

/** @type {typeof import("./load.d.ts").loadSnippet} */
export const loadSnippet = (address, options = {}) => {
  const present = getExperimentation();
  if (present) return Promise.resolve(present);
  if (typeof document === "undefined") return Promise.reject(new Error("a snippet can be loaded in a page only"));
  const { href } = new URL(address, document.baseURI);
  const begun = loading.get(href);
  if (begun) return begun;
  const loaded = insert(href, options).finally(() => loading.delete(href));
  loading.set(href, loaded);
  return loaded;
};

/** @type {typeof import("./load.d.ts").getExperimentation} */
export const getExperimentation = () => {
  if (typeof window === "undefined") return undefined;
  const { experimentation } = window;
  // Before the snippet has run, this is nothing, or an array of commands that wait for it.
  return typeof experimentation?.get === "function" ? experimentation : undefined;
};

/** @type {typeof import("./load.d.ts").getState} */
export const getState = () => getExperimentation()?.get("state");

/** @type {typeof import("./load.d.ts").push} */
export const push = (command) => {
  if (typeof window === "undefined") return;
  /** @type {{ experimentation?: { push(command: unknown): unknown } }} */
  const page = window;
  (page.experimentation ??= []).push(command);
};

/**
 * @param {string} href
 * @param {import("./load.d.ts").LoadOptions} options
 * @returns {Promise<Experimentation>}
 */
const insert = (href, { nonce, timeoutSeconds = TIMEOUT_SECONDS }) =>
  new Promise((resolve, reject) => {
    const script = document.createElement("script");
    /** @param {string} reason */
    const giveUp = (reason) => {
      clearTimeout(timer);
      script.remove();
      reject(new Error(`${href} ${reason}`));
    };
    const timer = setTimeout(() => giveUp(`did not answer within ${timeoutSeconds} seconds`), timeoutSeconds * 1000);
    script.addEventListener("error", () => giveUp("could not be loaded"));
    script.addEventListener("load", () => {
      const experimentation = getExperimentation();
      if (!experimentation) return giveUp("is no snippet");
      clearTimeout(timer);
      resolve(experimentation);
    });
    if (nonce) script.nonce = nonce;
    script.src = href;
    document.head.append(script);
  });
