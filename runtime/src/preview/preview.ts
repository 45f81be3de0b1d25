/** Previews: the snippet of a preview link takes the place of the live one, and lasts for the tab. */

import { queryParameter } from "../browser/address";
import { attempt } from "../browser/attempt";
import { genuine } from "../browser/genuine";
import { projectId } from "../project/config";

const NAME = "experimentation_preview";

/**
 * Lets the snippet of a preview link take our place: `?experimentation_preview=<token>` in the address, or earlier in the same tab. It
 * comes from where we came from, with the token in the query, which no page's policy checks and no log of ours records.
 *
 * Until it loads, we do nothing: commands wait in their array. If it contains no snippet (it says why in the console), or
 * does not load at all, we start as usual.
 * @returns true if a preview was asked for: then `begin` is called once it came or failed
 */
export const loadPreview = (begin: () => void): boolean => {
  const own = ownScript();
  const token = own && (queryParameter(NAME) ?? attempt(() => sessionStorage.getItem(NAME)) ?? "");
  const address = own && own.src.replace(/[?#].*|$/, "?preview=" + token);
  // A cache that ignores queries returns this snippet instead of the preview.
  if (!own || own.src === address || !/^[\w.-]+$/.test(token as string)) {
    return false;
  }
  const { async, nonce } = own;
  if (!async) {
    // What the page holds after us may rely on what we decide: only a written script keeps it waiting. Where writing is refused, the
    // page does not wait either.
    attempt(() => genuine(document, "write")(`<script src="${address}" nonce="${nonce}"></script>`));
  }
  let script = (own.nextSibling || own) as HTMLScriptElement;
  if (script.src !== address) {
    script = genuine(document, "createElement")("script");
    script.src = address as string;
    script.nonce = nonce as string;
    genuine(document, "head").append(script);
  }
  script.onload = script.onerror = begin;
  return true;
};

/**
 * Lets a preview last for the tab, and gives its token: the snippet of a preview link keeps the token it was loaded with where
 * `loadPreview` looks on the next page. Only a good token gets this far; the server's answer to any other takes it away again.
 */
export const keepPreview = (): string => {
  const [, token = ""] = /[?&]preview=([^&#]+)/.exec(ownScript()?.src || "") || [];
  if (token) {
    attempt(() => sessionStorage.setItem("experimentation_preview", token));
  }
  return token;
};

/**
 * The script element that runs us, if it came from where a server of ours keeps this project's snippet. Nothing else may say where a
 * preview comes from: an image named `currentScript` has an address, too, and so has a bundle that holds us.
 */
const ownScript = (): HTMLScriptElement | undefined => {
  const script = attempt(() => genuine(document, "currentScript"));
  return script instanceof HTMLScriptElement && RegExp(`^[^?#]*/js/${projectId}(/\\w+)?\\.js([?#]|$)`).test(script.src) ? script : undefined;
};
