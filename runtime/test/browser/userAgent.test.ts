/** What user agents of our days say of the browser, the system and the device. `spec/vectors/audience-conditions.json` has more. */

import { describe, expect, test } from "vitest";
import { browserOf, deviceOf, deviceTypeOf, platformOf } from "../../src/browser/userAgent";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const CHROME = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/120.0.6099.110 Safari/537.36`;
const EDGE = `${CHROME} Edg/120.0.2210.77`;
const OPERA = `${CHROME} OPR/106.0.0.0`;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0";
const SAFARI = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Safari/605.1.15";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Mobile/15E148 Safari/604.1";
const IPHONE_CHROME = IPHONE.replace("Version/17.1", "CriOS/120.0.6099.119");
const PIXEL = `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT} Chrome/120.0.0.0 Mobile Safari/537.36`;
const GALAXY_TAB = `Mozilla/5.0 (Linux; Android 13; SM-X700) ${WEBKIT} Chrome/120.0.0.0 Safari/537.36`;
const SAMSUNG = `Mozilla/5.0 (Linux; Android 13; SM-S911B) ${WEBKIT} SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36`;
const CHROMEBOOK = `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/120.0.0.0 Safari/537.36`;
const TV = `Mozilla/5.0 (Web0S; Linux/SmartTV) ${WEBKIT} Chrome/94.0.4606.128 Safari/537.36 WebAppManager`;
const EXPLORER = "Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko";
const GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

describe("the browser", () => {
  test.each([
    ["Chrome", CHROME, "gc120.0.6099.110"],
    ["Edge, which also says Chrome", EDGE, "edge120.0.2210.77"],
    ["Opera, which also says Chrome", OPERA, "opera106.0.0.0"],
    ["Firefox", FIREFOX, "ff121.0"],
    ["Safari", SAFARI, "safari17.2"],
    ["Chrome on a phone of Apple's", IPHONE_CHROME, "gc120.0.6099.119"],
    ["Internet Explorer", EXPLORER, "ie11.0"],
    ["Samsung's, which is none that we tell apart", SAMSUNG, "unknown"],
    ["a headless one", CHROME.replace("Chrome/", "HeadlessChrome/"), "unknown"],
    ["one that names none", "curl/8.4.0", ""],
  ])("of %s", (_, userAgent, browser) => {
    expect(browserOf(userAgent)).toBe(browser);
  });
});

describe("the system", () => {
  test.each([
    ["Windows 10, or 11", CHROME, 0, "windows_10"],
    ["an old Windows", EXPLORER, 0, "windows_7"],
    ["macOS", SAFARI, 0, "mac os_10.15.7"],
    ["an iPad, which calls itself a Macintosh", SAFARI, 5, "ios_"],
    ["an iPhone", IPHONE, 5, "ios_17.1.2"],
    ["Android", PIXEL, 5, "android_14"],
    ["a Chromebook", CHROMEBOOK, 0, "chrome os_14541.0.0"],
    ["a television", TV, 0, "webos_"],
    ["Linux", FIREFOX, 0, "linux_"],
    ["none that is named", "curl/8.4.0", 0, ""],
  ])("of %s", (_, userAgent, touchPoints, platform) => {
    expect(platformOf(userAgent, touchPoints)).toBe(platform);
  });
});

describe("the device", () => {
  test.each([
    ["a desktop", CHROME, 0, "desktop", "desktop_laptop"],
    ["a desktop with a touch screen", CHROME, 10, "desktop", "desktop_laptop"],
    ["a Macintosh", SAFARI, 0, "desktop", "desktop_laptop"],
    ["an iPad, which calls itself a Macintosh", SAFARI, 5, "ipad", "tablet"],
    ["an old iPad", IPHONE.replace("(iPhone;", "(iPad;"), 5, "ipad", "tablet"],
    ["an iPhone", IPHONE, 5, "iphone", "phone"],
    ["an Android phone", PIXEL, 5, "mobile", "phone"],
    ["an Android tablet", GALAXY_TAB, 5, "tablet", "tablet"],
    ["a Chromebook", CHROMEBOOK, 0, "desktop", "desktop_laptop"],
    ["a television", TV, 0, "desktop", "other"],
    ["a robot", GOOGLEBOT, 0, "desktop", "other"],
    ["a program", "curl/8.4.0", 0, "desktop", "other"],
  ])("of %s", (_, userAgent, touchPoints, device, type) => {
    expect(deviceOf(userAgent, touchPoints)).toBe(device);
    expect(deviceTypeOf(userAgent, touchPoints)).toBe(type);
  });
});
