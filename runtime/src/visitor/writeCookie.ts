/** Sets a cookie of ours for the whole site, if the browser lets us. `attributes` start with a semicolon. */

import { attempt } from "../attempt";
import { pageView } from "../pageView";

export const writeCookie = (name: string, value: string, attributes: string): void => {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  attempt(() => {
    document.cookie = name + "=" + encodeURIComponent(value) + "; path=/; SameSite=Lax" + secure + attributes;
  });
  pageView.cookies = undefined;
};
