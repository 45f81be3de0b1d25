/** Where redirects lead. */

import { decodePercent, normalizeUrl, withoutFragment } from "../browser/address";
import { guarded } from "../pageView/events";
import { CampaignField, ChangeField, ChangeKind, ExperimentField, RedirectFlag } from "../project/config";
import type { CampaignConfig, ChangeConfig, ExperimentConfig } from "../project/config";
import { variationIdAt } from "../project/items";
import { forcedVariations } from "../visitor/forced";

/** Where a redirect leads from this page; `undefined` where there is no address to go to, or not one of a page. */
export const destinationOf = (change: ChangeConfig): URL | undefined => {
  const destination = change[ChangeField.Value];
  const url = guarded(() => new URL(String(typeof destination === "function" ? destination() : destination), location.href));
  if (!url || !/^https?:$/.test(url.protocol)) {
    return undefined;
  }
  return Number(change[ChangeField.Extra]) & RedirectFlag.PreserveParameters ? withParametersOf(url, location.search) : url;
};

/**
 * Whether a variation's redirect may have led to this very page: `false` if it cannot, or no visitor is given it; `undefined` where only its
 * own code, on the page that redirected, knew where it leads. Any link can carry a note in its address: this is what the note is checked against.
 */
export const leadsHere = (campaign: CampaignConfig, experiment: ExperimentConfig, variation: number): boolean | undefined => {
  const isForced = __FORCE__ && forcedVariations.includes(variationIdAt(experiment, variation));
  const ends = (__WEIGHTS__ && !isForced && experiment[ExperimentField.Ends]) || [];
  const isDrawn = !(ends[variation] <= (ends[variation - 1] || 0));
  const answers = [campaign[CampaignField.Changes], experiment[ExperimentField.Changes]?.[variation]].flat().map((change) => {
    if (!change || change[ChangeField.Kind] !== ChangeKind.Redirect) {
      return false;
    }
    return typeof change[ChangeField.Value] === "function" ? undefined : isSame(String(destinationOf(change)?.href), location.href);
  });
  return isDrawn && (answers.includes(true) || (answers.includes(undefined) ? undefined : false));
};

/** As far as servers tell pages apart. */
const isSame = (one: string, other: string): boolean => normalizeUrl(withoutFragment(one)) === normalizeUrl(withoutFragment(other));

/** Adds the query parameters of one address to another, as they are written; those it has itself stay. */
const withParametersOf = (url: URL, search: string): URL => {
  const added = search
    .slice(1)
    .split("&")
    .filter((parameter) => parameter && !url.searchParams.has(decodePercent(parameter.split("=")[0])));
  if (added.length > 0) {
    url.search += (url.search ? "&" : "?") + added.join("&");
  }
  return url;
};
