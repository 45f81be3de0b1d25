/** Sets a cookie of ours for the whole site, if the browser lets us. `attributes` start with a semicolon. */

import { attempt } from "../attempt";
import { pageView } from "../pageView";
import { setGenuine } from "../setGenuine";

export const writeCookie = (name: string, value: string, attributes: string): void => {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  attempt(() => {
    const text = name + "=" + encodeURIComponent(value) + "; path=/; SameSite=Lax" + secure + attributes;
    // The page may have made something of it that keeps cookies out.
    if (typeof document.cookie === "string") {
      document.cookie = text;
    } else {
      setGenuine("cookie", text);
    }
  });
  pageView.cookies = undefined;
};
