/**
 * The browser that a user agent speaks for, with its version: `gc120.0.6099.110`. `unknown` for one that is none of those we tell
 * apart; empty where the user agent names none.
 */

import { firstSign } from "./firstSign";
import type { Sign } from "./firstSign";

export const browserOf = (userAgent: string): string => firstSign(userAgent, BROWSERS);

/** In this order, since most browsers also name those they want to be taken for. Old Operas have their version at the end. */
const BROWSERS: readonly Sign[] = [
  ["ucbrowser", /UC ?Browser\/?([\d.]*)/],
  ["opera", /Opera.*Version\/([\d.]+)/],
  ["opera", /(?:OPR|OPT|OPX|OPiOS|Opera|Opera Mini)[/ ]([\d.]+)/],
  ["edge", /Edg(?:e|A|iOS)?\/([\d.]+)/],
  ["ie", /(?:MSIE |Trident.*rv:)([\d.]+)/],
  ["unknown", /Headless|(?:Samsung|Miui|Huawei|QQ|Ya)Browser|DuckDuckGo|Vivaldi|Whale|Silk|SeaMonkey/],
  ["gc", /(?:Chrome|Chromium|CriOS)\/([\d.]+)/],
  ["ff", /(?:Firefox|FxiOS)\/([\d.]+)/],
  // The browser of old Androids calls itself Safari.
  ["unknown", /Android/],
  ["safari", /Version\/([\d.]+).* Safari\//],
  ["unknown", /WebKit|Gecko\//],
];
