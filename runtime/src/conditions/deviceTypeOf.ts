/** Which kind of device a user agent speaks for: `phone`, `tablet`, `desktop_laptop`, or `other`, such as televisions and robots. */

import { deviceOf } from "./deviceOf";

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
