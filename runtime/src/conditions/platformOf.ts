/**
 * The operating system that a user agent speaks for, with its version: `ios_17.1`, `mac os_10.15.7`, `windows_10`, `linux_`. Empty
 * where none is named. Browsers no longer tell every version: a Windows 11 says it is 10, a newer macOS that it is 10.15.7.
 */

import { firstSign } from "./firstSign";
import type { Sign } from "./firstSign";

export const platformOf = (userAgent: string, touchPoints: number): string =>
  // Since iPadOS 13, an iPad calls itself a Macintosh; no Macintosh has a touch screen.
  touchPoints > 1 && /Macintosh/.test(userAgent) ? "ios_" : firstSign(userAgent, PLATFORMS);

/** In this order, since phones also name what they want to be taken for. Windows has versions of its own, which few know. */
const PLATFORMS: readonly Sign[] = [
  ["windows phone_", /Windows Phone(?: OS)? ([\d.]+)/],
  ["windows_8.1", /Windows NT 6\.3/],
  ["windows_8", /Windows NT 6\.2/],
  ["windows_7", /Windows NT 6\.1/],
  ["windows_vista", /Windows NT 6\.0/],
  ["windows_xp", /Windows NT 5\.[12]/],
  ["windows_", /Windows(?: NT (\d+))?/],
  ["blackberry_", /(?:BB|BlackBerry.*Version\/)([\d.]+)/],
  ["ios_", /(?:iPhone|iPad|iPod)(?:.*? OS ([\d_]+))?/],
  ["android_", /Android(?: ([\d.]+))?/],
  ["chrome os_", /CrOS \w+ ([\d.]+)/],
  ["tizen_", /Tizen ?([\d.]*)/],
  ["webos_", /(?:web|Web)[O0]S(?:\/([\d.]+))?/],
  ["mac os_", /Mac OS X ?([\d_.]*)/],
  ["linux_", /Linux|X11/],
];
