/** What holds for this page view, or for its present activation, and no longer. What outlives it: visitor/memory.ts. */

import type { Landing } from "./redirect/Landing";

interface PageView {
  /** Nothing is decided, stored or changed any more. */
  isOff?: true;
  /** The visitor consented, now or earlier. */
  hasConsent?: true;
  /** A redirect is on its way: the landing page tells of it. */
  isLeft?: true;
  /** The redirect that led to this page view. */
  landing?: Landing | undefined;
  /** `document.cookie`, once this activation had to read it. */
  cookies?: string | undefined;
  /** The millisecond it began, or a little later; 0 while there is none. */
  activationId: number;
}

export const pageView: PageView = { activationId: 0 };
