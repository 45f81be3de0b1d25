/**
 * Sets the visitor's cookie on the site's registrable domain, so that its subdomains see the same visitor: that is the shortest one
 * the browser takes, since it knows the list of public suffixes.
 */

import { cookieDomain } from "../config";
import { idCookie } from "./idCookie";
import { memorize } from "./memorize";
import { recall } from "./recall";
import { writeCookie } from "./writeCookie";

/** Browsers keep a cookie for 400 days at most. */
const LIFETIME_SECONDS = 400 * 24 * 60 * 60;

/** An empty value takes the cookie away. */
export const writeIdCookie = (value: string): void => {
  const labels = location.hostname.split(".");
  const domains = labels.map((_, at) => labels.slice(-at - 2).join("."));
  const known = cookieDomain || recall("domain");
  const before = idCookie();
  // A cookie that only has to be renewed looks taken anywhere: start with the domain that took it at first, or take it away before.
  if (!known && before === value) {
    domains.concat("").forEach((domain) => isTaken("", domain, before));
  }
  domains[0] = known || domains[0];
  memorize("domain", domains.concat("").find((domain) => isTaken(value, domain, before)) || "");
};

/** What is neither there before nor what we wrote is of another tab that came at the same time: the domain takes cookies. */
const isTaken = (value: string, domain: string, before: string): boolean => {
  writeCookie("experimentation_id", value, "; max-age=" + (value ? LIFETIME_SECONDS : 0) + (domain && "; domain=" + domain));
  const now = idCookie();
  return now === value || (!!now && now !== before);
};
