/**
 * Whether the visitor opted out, or took their consent back, since this page view began: in another tab, or on another origin of the site,
 * of which only the cookie tells.
 */

import { isConsentRequired } from "../config";
import { pageView } from "../pageView";
import { idCookie } from "./idCookie";
import { optedOut } from "./optedOut";
import { visitor } from "./visitor";

export const isRefused = (): boolean => {
  pageView.cookies = undefined;
  return idCookie() === optedOut || (!!isConsentRequired && visitor.hasCookie && !idCookie());
};
