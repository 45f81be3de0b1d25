/** The page that the visitor came from, before any redirect of ours; empty for none. A form named `referrer` is text, too. */

import { pageView } from "../pageView";

export const originalReferrer = (): string =>
  (__CAMPAIGNS__ ? pageView.landing?.referrer : undefined) ?? String(document.referrer);
