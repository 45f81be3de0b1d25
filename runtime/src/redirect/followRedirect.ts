/** Sends the visitor on to the page that a redirect variation leads to. Returns whether the page is being left. */

import { ChangeField, ExperimentField } from "../config";
import type { ChangeConfig, ExperimentConfig } from "../config";
import { variationIdAt } from "../decide/variationIdAt";
import { guarded } from "../guarded";
import { pageView } from "../pageView";
import { cookieValue } from "../visitor/cookieValue";
import { saveVisitor } from "../visitor/saveVisitor";
import { visitor } from "../visitor/visitor";
import { writeCookie } from "../visitor/writeCookie";
import { leaveFor } from "./leaveFor";
import { originalReferrer } from "./originalReferrer";
import { REDIRECT_NOTE } from "./redirectNote";
import { withoutFragment } from "./withoutFragment";
import { withParametersOf } from "./withParametersOf";

/** Longer than any page takes to come, so that no note is lost; what is not fetched by then must not be found later. */
const NOTE_SECONDS = 600;

const enum RedirectFlag {
  PreserveParameters = 1,
  AllowChain = 2,
}

export const followRedirect = (change: ChangeConfig, experiment: ExperimentConfig, variation: number): boolean => {
  const flags = Number(change[ChangeField.Extra]);
  const variationId = String(variationIdAt(experiment, variation));
  const { landing } = pageView;
  // Two pages that redirect to each other end at the second: no redirect is followed twice in a chain.
  if (landing && (!(flags & RedirectFlag.AllowChain) || landing.chain.split(".").includes(variationId))) {
    return false;
  }
  const url = destinationOf(change, (flags & RedirectFlag.PreserveParameters) > 0);
  if (!url || withoutFragment(url.href) === withoutFragment(location.href)) {
    return false;
  }
  const chain = (landing ? landing.chain + "." : "") + variationId;
  const note = [experiment[ExperimentField.Id], variationId, variation, encodeURIComponent(originalReferrer()), chain].join(":");
  const cookie = [withoutFragment(url.href), withoutFragment(location.href), note].join(" ");
  if (visitor.isKept) {
    writeCookie(REDIRECT_NOTE, cookie, "; max-age=" + NOTE_SECONDS);
  }
  // Other origins have other cookies; a browser that takes none needs the address, too.
  if (url.origin !== location.origin || cookieValue(REDIRECT_NOTE) !== cookie) {
    url.search += (url.search ? "&" : "?") + REDIRECT_NOTE + "=" + encodeURIComponent(note);
  }
  saveVisitor();
  if (__INTEGRATIONS__) {
    pageView.isLeft = true;
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
