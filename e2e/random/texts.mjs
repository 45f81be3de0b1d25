/**
 * Texts that conditions compare: few, so that they often meet, and odd, so that meeting is not easy. The same ones are in addresses,
 * cookies and attributes.
 */

import fc from "fast-check";

/** Where the site of a project is. Ports and names in Unicode are written by the browser in one way only. */
export const ORIGINS = ["https://www.shop.test", "http://shop.test:8080", "https://www.xn--mnchen-3ya.test"];

/** Names of query parameters and cookies. */
export const NAMES = ["a", "plan", "A", "utm_campaign", "utm_source", "gclid"];

/** Numbers as people, programs and JavaScript write them. */
const NUMBERS = [
  "1",
  "10",
  "-3.5",
  "05",
  "1e3",
  ".5",
  "5.",
  "+5",
  "0x10",
  "0b11",
  "1_0",
  "Infinity",
  "-0",
  " 7 ",
  "1e21",
  "1e-7",
  "NaN",
  "٣",
];

/** What may stand in a query as it is: the browser would escape anything else. */
export const RAW_VALUES = ["", "1", "pro", "Pro", "x%20y", "%zz", "%C3%BC", "a=b", "10", "-3.5", "1e3", "0x10", "letter"];

const VALUES = [...RAW_VALUES, "ü", "x y", "👍", "true", "1e+21", "100000000000000000000", "0.1", ...NUMBERS];

/** Some meet more often than the odd ones. */
export const values = fc.oneof(fc.constantFrom("pro", "1", "10", "5"), fc.constantFrom(...VALUES));

const RANGES = [
  "1:10",
  "10:1",
  "-5:5",
  "0:1e3",
  ":5",
  "5:",
  "a:b",
  "1:2:3",
  "0x0:0x20",
  " 1 : 10 ",
  "Infinity:-Infinity",
  "-Infinity:Infinity",
  "5",
];

export const ranges = fc.oneof(fc.constantFrom("1:10", "5:10"), fc.constantFrom(...RANGES));

/** Accepted by the compiler, and read alike by both sides. */
export const VALUE_PATTERNS = ["^pro$", "pro|let", "[0-9]+", "^$", ".", "\\d{2,}", "^x.y$", "ü", "\\s", "[^a-z]", "(?:a|b)="];

export const ADDRESS_PATTERNS = ["^https", "/shop/?$", "[?&]a=1(&|$)", "#deep$", "\\d{4}", "SHOP", "^$", ".", "www\\.", "[^/]$", "%20"];

export const PATHS = ["/", "/shop", "/shop/", "/Shop", "/shop/mug", "/caf%C3%A9", "/undefined/null/1"];

export const FRAGMENTS = ["", "#", "#deep", "#a?b=c", "#/"];

/** Addresses as people write them down. */
export const ADDRESSES = [
  ...ORIGINS.flatMap((origin) => ["", "/", "/shop", "/Shop/", "/?a=1", "/shop?a=1#deep"].map((rest) => origin + rest)),
  "www.shop.test",
  "SHOP.test/shop",
  "//shop.test:8080",
  "münchen.test",
  "https",
  "shop",
  "?a=1",
  "&",
  "#deep",
  "/?",
  "",
];

export const REFERRERS = [
  "",
  "https://www.google.com/",
  "https://news.bing.co.uk/search?q=x",
  "https://google.test.partner.test/",
  "http://notgoogle.com/",
  "https://www.shop.test/shop",
  "https://shop.test/?experimentation_x=1&a=1",
  "http://shop.test:8080/",
  "http://partner.test/from?a=1#deep",
  "http://user@partner.test/",
  "android-app://com.example/",
  "HTTPS://WWW.PARTNER.TEST",
];

export const USER_AGENTS = [
  "",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (iPad; CPU OS 12_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Linux; Android 14; SM-X910) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Android 14; Tablet; rv:132.0) Gecko/132.0 Firefox/132.0",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.51",
  "Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko",
  "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 OPR/114.0.0.0",
  "Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/7.0 TV Safari/537.36",
  "Mozilla/5.0 (Linux; U; Android 10; en-US) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.108 UCBrowser/13.4.0.1306 Mobile Safari/537.36",
  "Mozilla/5.0 (iPod touch; CPU iPhone OS 12_0 like Mac OS X) Mobile/15E148",
];

/** Browsers, platforms and kinds of devices as conditions name them, with as much of a version as matters. */
export const BROWSERS = ["gc", "gc131", "gc13", "ff", "ff132.0", "safari18.1", "safari12", "edge131", "opera114", "ucbrowser", "unknown", "ie", "GC", ""];

export const PLATFORMS = [
  "ios",
  "ios_18",
  "ios_12.2",
  "android",
  "android_14",
  "mac os",
  "mac os_10.15",
  "windows",
  "windows_10",
  "linux",
  "linux_",
  "chrome os",
  "tizen",
  "mac",
  "",
];

export const DEVICE_TYPES = ["phone", "tablet", "desktop_laptop", "other", "Phone"];

/** Where visitors are, as the page says it. */
export const LOCATIONS = [
  { country: "US", region: "CA", city: "San Francisco", continent: "NA", dma: "807" },
  { country: "DE", region: "BE", city: "BERLIN", continent: "EU" },
  { country: "DE" },
  { continent: "EU" },
  {},
];

export const PLACES = ["US", "us", "DE|", "DE|BE", " US | CA ", "US|CA|SANFRANCISCO", "DE||BERLIN", "|||EU", "US|||NA", "||||807", "|", "", "DE||", "a|b|c|d|e|f"];

/** What visitors do: the first is a name as any other. */
export const EVENTS = ["add_to_cart", "bought, 2|x", "ü"];

export const LANGUAGES = ["en", "en-US", "en-us", "de-DE", "de", "zh-Hant-TW", "e", ""];

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** From the values of an hour that matter: whole ones and the minutes at their edges. */
const minute = fc.constantFrom("00:00", "09:00", "09:30", "12:59", "13:00", "23:59");

export const timesAndDays = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.tuple(minute, minute, fc.subarray(DAYS, { minLength: 1 })).map(([from, to, days]) => `${from}_${to}_${days}`),
  },
  fc.constantFrom(
    "",
    "9:00_24:00_monday,sunday",
    "09:00_17:00",
    "09:00_17:00_",
    "0900_1700_monday",
    "a_b_monday",
    "09:00_17:00_Monday",
    "08:00_10:00_monday_tuesday",
    // Spans of all days, but for how they are written.
    ...[":_24:00", "0:_24:00", "00:00:00_24:00:00", "00:00_24:60", "0x0:0_24:00"].map((times) => `${times}_${DAYS}`),
    `00:00_24:00_${DAYS},`,
    `00:00_24:00_${DAYS},Monday`,
  ),
);

/** In November 2026, as `assay decide` takes it. */
export const localTimes = fc
  .tuple(fc.integer({ min: 1, max: 30 }), minute)
  .map(([day, at]) => `2026-11-${String(day).padStart(2, "0")}T${at}`);

const isOneLine = (text) => !/\p{Cc}/u.test(text);

/** What people call things: nothing, something short, something that has to be cut, something with all that Unicode has. */
export const names = fc.oneof(
  { withCrossShrink: true },
  fc.constantFrom(null, "Original", "Short & sweet", "x_y: (z)"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter(isOneLine),
  fc.constantFrom("long ".repeat(40), "👍".repeat(100), "é".repeat(199)),
);

/** What a cookie may hold: anything, percent-encoded. */
export const visitorIds = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 1_000_000 }).map((number) => `visitor-${number}`) },
  // A single hyphen stands for who opted out.
  fc.string({ unit: "grapheme", minLength: 2, maxLength: 40 }),
);
