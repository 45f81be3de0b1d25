/**
 * Whether the visitor still has to consent, or their browser says that they do not. All is decided nevertheless, with an id that is
 * gone with the page. loadVisitor.ts asks it, and everything else `visitor.isKept`; api/consent.ts ends it.
 */

import { isConsentRequired } from "../config";
import { pageView } from "../pageView";

export const isAnonymous = (): boolean =>
  !(isConsentRequired && pageView.hasConsent) &&
  !!(
    isConsentRequired ||
    (__GPC__ && (navigator as { globalPrivacyControl?: unknown }).globalPrivacyControl) ||
    (__DNT__ && navigator.doNotTrack === "1")
  );
