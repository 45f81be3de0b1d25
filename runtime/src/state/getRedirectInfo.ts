/** `getRedirectInfo`: the redirect that led to this page view. */

import type { RedirectInfo } from "../../types/index";
import { pageView } from "../pageView";

export const getRedirectInfo = (): RedirectInfo | null => {
  if (!__CAMPAIGNS__ || !pageView.landing) {
    return null;
  }
  const { experimentId, variationId, referrer } = pageView.landing;
  return { experimentId, variationId, referrer };
};
