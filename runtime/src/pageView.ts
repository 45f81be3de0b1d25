/** What holds for this page view, or for its present activation, and no longer. What outlives it: visitor/memory.ts. */

import type { Listener } from "./api/Listener";
import type { Landing } from "./redirect/Landing";

/** All fields are there from the start: what is not is asked of `Object.prototype`, to which pages add. */
interface PageView {
  /** The page's. */
  listeners: readonly Listener[];
  /** Nothing is decided, stored or changed any more. */
  isOff: boolean;
  /** The visitor consented, now or earlier. */
  hasConsent: boolean;
  /** The visitor refused before anything was known of them. */
  hasRefused: boolean;
  /** A redirect is on its way: the landing page tells of it. */
  isLeft: boolean;
  /** The redirect that led to this page view. */
  landing: Landing | undefined;
  /** `document.cookie`, once this activation had to read it. */
  cookies: string | undefined;
  /** Where the visitor is, `[country, region, city, continent, dma]`; 0 until the page has said so. */
  location: readonly string[] | 0;
  /** The millisecond it began, or a little later; 0 while there is none. */
  activationId: number;
}

export const pageView: PageView = {
  listeners: [],
  isOff: false,
  hasConsent: false,
  hasRefused: false,
  isLeft: false,
  landing: undefined,
  cookies: undefined,
  location: 0,
  activationId: 0,
};
