/**
 * Lets a preview last for the tab: the snippet of a preview link keeps the token it was loaded with where loadPreview.ts looks on the
 * next page. Only a good token gets this far; the server's answer to any other takes it away again.
 */

import { attempt } from "../attempt";
import { ownScript } from "./ownScript";

export const keepPreview = (): void => {
  const [, token] = /[?&]preview=([^&#]+)/.exec(ownScript()?.src || "") || [];
  if (token) {
    attempt(() => sessionStorage.setItem("experimentation_preview", token));
  }
};
