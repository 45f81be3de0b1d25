/** The visitor. What is remembered about them is in memory.ts. */

export const visitor = {
  /** Empty while the snippet is switched off. */
  id: "",
  /** Whether anything of them may be stored, or sent: not while isAnonymous.ts says no, nor while the snippet is switched off. */
  isKept: false,
  /** Whether their cookie, and their entry in local storage, were there in this page view: then it says something if they are gone. */
  hasCookie: false,
  hasEntry: false,
};
