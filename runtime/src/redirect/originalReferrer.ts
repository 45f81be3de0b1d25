/** The page that the visitor came from, before any redirect of ours; empty for none. */

import { genuine } from "../genuine";
import { pageView } from "../pageView";

export const originalReferrer = (): string =>
  (__CAMPAIGNS__ ? pageView.landing?.referrer : undefined) ?? genuine(document, "referrer");
