/** What keepUp.ts and applyToElements.ts have to know of each other's work. */

export const passes = {
  /** Counts what was in force: another set of changes has another one. */
  setId: 0,
  /** The page has changed since the last pass. */
  isNews: false,
  /** The present pass is not through: there was too much to do for one frame. */
  isCut: false,
  /** When the present pass has to end, in milliseconds, and how many elements it has to look at even so. */
  endsAt: 0,
  elementsLeft: 0,
};
