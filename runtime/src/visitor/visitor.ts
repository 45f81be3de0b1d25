/** The visitor. What is remembered about them is in memory.ts. */

export const visitor = {
  /** Empty while the snippet is switched off. */
  id: "",
  /** Whether there is something to store. */
  isChanged: false,
};
