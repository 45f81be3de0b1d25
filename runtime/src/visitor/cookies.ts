/** Reads and writes cookies: the page's, and the one that holds the visitor's id. */

import { decodePercent, namedValue } from "../browser/address";
import { attempt } from "../browser/attempt";
import { genuine, setGenuine } from "../browser/genuine";
import { pageView } from "../pageView/pageView";
import { cookieDomain } from "../project/config";
import { memorize, recall } from "./memory";

/**
 * The decoded value of a cookie; `undefined` if there is none, or cookies are refused. They are read once an activation, and only if
 * asked for: reading them may ask another process.
 */
export const cookieValue = (name: string): string | undefined => {
  pageView.cookies ??= attempt(() => genuine(document, "cookie")) || "";
  const value = namedValue(pageView.cookies, "; ", name);
  return value && decodePercent(value);
};

/**
 * Sets a cookie of ours for the whole site, if the browser lets us. `attributes` start with a semicolon. `isHurried`: nothing is read, be it
 * to find out what the page has made of cookies, or whether there is this one now.
 */
export const writeCookie = (name: string, value: string, attributes: string, isHurried?: unknown): void => {
  // `https:` has a sixth character.
  const secure = location.protocol[5] ? "; Secure" : "";
  attempt(() => {
    const text = name + "=" + encodeURIComponent(value) + "; path=/; SameSite=Lax" + secure + attributes;
    // The page may have made something of it that keeps cookies out, and is no text.
    if (isHurried || (document.cookie as Partial<string> | undefined)?.trim?.call) {
      document.cookie = text;
    } else {
      setGenuine("cookie", text);
    }
  });
  if (!isHurried) {
    pageView.cookies = undefined;
  }
};

/** The visitor's id in its cookie, or whatever else was written there: see `writeIdCookie`. Empty for none. */
export const idCookie = (): string => cookieValue("experimentation_id") || "";

/** What the cookie holds instead of an id once a visitor opted out: all we keep of them. */
export const optedOut = "-";

/** Browsers keep a cookie for 400 days at most. */
const LIFETIME_SECONDS = 400 * 24 * 60 * 60;

/**
 * Sets the visitor's cookie on the site's registrable domain, so that its subdomains see the same visitor: that is the shortest one the
 * browser takes, since it knows the list of public suffixes. An empty value takes the cookie away. `isHurried`: on the likeliest domain,
 * without a look whether the browser took it; `settleCookie` has one later.
 */
export const writeIdCookie = (value: string, isHurried?: unknown): void => {
  const labels = location.hostname.split(".");
  const domains = [...labels.map((_, at) => labels.slice(-at - 2).join(".")), ""];
  const known = cookieDomain || recall("domain");
  const before = idCookie();
  // A cookie that only has to be renewed looks taken anywhere: start with the domain that took it at first, or take it away before.
  if (!known && before === value) {
    domains.forEach((domain) => isTaken("", domain, before));
  }
  // One that the page does not belong to takes no cookie. One that has failed is asked twice, once in a visitor's life.
  if (known) {
    domains.unshift(known);
  }
  memorize("domain", domains.find((domain) => isTaken(value, domain, before, isHurried)) || "");
};

/** What is neither there before nor what we wrote is of another tab that came at the same time: the domain takes cookies. */
const isTaken = (value: string, domain: string, before: string, isHurried?: unknown): unknown => {
  writeCookie("experimentation_id", value, "; max-age=" + (value ? LIFETIME_SECONDS : 0) + (domain && "; domain=" + domain), isHurried);
  const now = idCookie();
  return isHurried || now === value || (now && now !== before);
};
