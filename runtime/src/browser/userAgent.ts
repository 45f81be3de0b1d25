/** Reads a user agent: the browser, the operating system and the kind of device. */

/**
 * The browser that a user agent speaks for, with its version: `gc120.0.6099.110`. `unknown` for one that is none of those we tell apart;
 * empty where the user agent names none.
 */
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

/**
 * The operating system that a user agent speaks for, with its version: `ios_17.1`, `mac os_10.15.7`, `windows_10`, `linux_`. Empty where
 * none is named. Browsers no longer report every version: Windows 11 says it is 10, a newer macOS that it is 10.15.7.
 */
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

/** The kind of device a user agent speaks for: `desktop`, `mobile`, `tablet`, `iphone` or `ipad`. Robots count as desktops. */
export const deviceOf = (userAgent: string, touchPoints: number): string => {
  // Since iPadOS 13, an iPad calls itself a Macintosh; no Macintosh has a touch screen.
  if (/iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)) {
    return "ipad";
  }
  if (/iPhone|iPod/.test(userAgent)) {
    return "iphone";
  }
  const isMobile = /Mobi/.test(userAgent);
  if (/Tablet/.test(userAgent) || (/Android/.test(userAgent) && !isMobile)) {
    return "tablet";
  }
  return isMobile ? "mobile" : "desktop";
};

/** Which kind of device a user agent speaks for: `phone`, `tablet`, `desktop_laptop`, or `other`, such as televisions and robots. */
export const deviceTypeOf = (userAgent: string, touchPoints: number): string => {
  // These are neither held in hands nor put on laps, whatever else they call themselves.
  if (/TV\b|BRAVIA|CrKey|PlayStation|Xbox|Nintendo|[Bb]ot\b|[Cc]rawl|[Ss]pider|Google(-|Other)|-Google|Lighthouse|BingPreview/.test(userAgent)) {
    return "other";
  }
  const device = deviceOf(userAgent, touchPoints);
  if (device !== "desktop") {
    return /pad|tablet/.test(device) ? "tablet" : "phone";
  }
  return /Windows|Macintosh|Linux|X11|CrOS/.test(userAgent) ? "desktop_laptop" : "other";
};

/** The sign's first group is the version. */
type Sign = readonly [name: string, sign: RegExp];

/** The meaning of the first sign found in a text, with its version; empty without any. */
const firstSign = (text: string, signs: readonly Sign[]): string => {
  for (const { 0: name, 1: sign } of signs) {
    const found = sign.exec(text);
    if (found) {
      return name + (found[1] || "").replace(/_/g, ".");
    }
  }
  return "";
};
