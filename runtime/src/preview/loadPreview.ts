/**
 * Lets the snippet of a preview link take our place: `?experimentation_preview=<token>` in the address, or earlier in the same tab. It
 * comes from where we came from, with the token in the query, which no policy of a page looks at and no log of ours writes down.
 *
 * Until it is there, nothing of us is: commands wait in their array. When it brings no snippet (the server says why in the console), or
 * does not come at all, we begin as ever.
 */

import { attempt } from "../attempt";
import { queryParameter } from "../conditions/queryParameter";
import { genuine } from "../genuine";
import { ownScript } from "./ownScript";

const NAME = "experimentation_preview";

/** @returns true if a preview was asked for: then `begin` is called once it came or failed */
export const loadPreview = (begin: () => void): boolean => {
  const own = ownScript();
  const token = own && (queryParameter(NAME) ?? attempt(() => sessionStorage.getItem(NAME)) ?? "");
  const address = own && own.src.replace(/[?#].*|$/, "?preview=" + token);
  // A cache that passes over queries gives us again where it should give the preview.
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
