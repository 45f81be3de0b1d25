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
