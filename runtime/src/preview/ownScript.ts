/**
 * The script element that runs us, if it came from where a server of ours keeps this project's snippet. Nothing else may say where a
 * preview comes from: an image named `currentScript` has an address, too, and so has a bundle that holds us.
 */

import { attempt } from "../attempt";
import { projectId } from "../config";
import { genuine } from "../genuine";

export const ownScript = (): HTMLScriptElement | undefined => {
  const script = attempt(() => genuine(document, "currentScript"));
  return script instanceof HTMLScriptElement && RegExp(`^[^?#]*/js/${projectId}(/\\w+)?\\.js([?#]|$)`).test(script.src) ? script : undefined;
};
