/** What a change left on one element. */

export interface Trace {
  /** Whether the element still is as the change made it; `undefined` if that cannot be said, or it was not changed yet. */
  holds: (() => boolean) | undefined;
  /** What stood first in the element when it had been made so. */
  first: ChildNode | null;
  /** A later change in force made the element otherwise: `passes.setId` of that time. */
  overruled: number;
  /** How often it was made so within the second that began at `since`, in milliseconds. See mayTry.ts. */
  count: number;
  since: number;
}
