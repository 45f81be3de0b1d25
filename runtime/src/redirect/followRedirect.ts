/** Sends the visitor on to the page that a redirect variation leads to. Returns whether the page is being left. */

import { ChangeField, ExperimentField } from "../config";
import type { ChangeConfig, ExperimentConfig } from "../config";
import { variationIdAt } from "../decide/variationIdAt";
import { guarded } from "../guarded";
import { pageView } from "../pageView";
import { saveVisitor } from "../visitor/saveVisitor";
import { writeTabNote } from "../visitor/writeTabNote";
import { leaveFor } from "./leaveFor";
import { originalReferrer } from "./originalReferrer";
import { REDIRECT_NOTE } from "./redirectNote";
import { withoutFragment } from "./withoutFragment";
import { withParametersOf } from "./withParametersOf";

const enum RedirectFlag {
  PreserveParameters = 1,
  AllowChain = 2,
}

export const followRedirect = (change: ChangeConfig, experiment: ExperimentConfig, variation: number): boolean => {
  const flags = Number(change[ChangeField.Extra]);
  const variationId = variationIdAt(experiment, variation);
  const { landing } = pageView;
  // Two pages that redirect to each other end at the second: no redirect is followed twice in a chain.
  if (landing && (!(flags & RedirectFlag.AllowChain) || landing.chain.includes(variationId))) {
    return false;
  }
  const url = destinationOf(change, (flags & RedirectFlag.PreserveParameters) > 0);
  if (!url || withoutFragment(url.href) === withoutFragment(location.href)) {
    return false;
  }
  const chain = [...(landing ? landing.chain : []), variationId].join(".");
  const note = [experiment[ExperimentField.Id], variationId, variation, encodeURIComponent(originalReferrer()), chain].join(":");
  const isNoted = writeTabNote(REDIRECT_NOTE, [withoutFragment(url.href), withoutFragment(location.href), note].join(" "));
  // Other origins have other storage; a browser that does not store needs the address, too.
  if (!saveVisitor() || !isNoted || url.origin !== location.origin) {
    url.search += (url.search ? "&" : "?") + "experimentation_redirect=" + encodeURIComponent(note);
  }
  leaveFor(url.href);
  return true;
};

/** `undefined` where there is no address to go to, or not one of a page. */
const destinationOf = (change: ChangeConfig, preserveParameters: boolean): URL | undefined => {
  const destination = change[ChangeField.Value];
  const url = guarded(() => new URL(String(typeof destination === "function" ? destination() : destination), location.href));
  if (!url || !/^https?:$/.test(url.protocol)) {
    return undefined;
  }
  return preserveParameters ? withParametersOf(url, location.search) : url;
};
