/**
 * Whether a variation's redirect may have led to this very page: `false` if it cannot, or nobody is given it; `undefined` where
 * only its own code, on the page that redirected, knew where it leads. A note in the address is anybody's, and this is what it is
 * held against.
 */

import { normalizeUrl } from "../conditions/normalizeUrl";
import { CampaignField, ChangeField, ChangeKind, ExperimentField } from "../config";
import type { CampaignConfig, ChangeConfig, ExperimentConfig } from "../config";
import { variationIdAt } from "../decide/variationIdAt";
import { forcedVariations } from "../visitor/forcedVariations";
import { destinationOf } from "./destinationOf";
import { withoutFragment } from "./withoutFragment";

export const leadsHere = (campaign: CampaignConfig, experiment: ExperimentConfig, variation: number): boolean | undefined => {
  const isForced = __FORCE__ && forcedVariations.includes(variationIdAt(experiment, variation));
  const ends = (__WEIGHTS__ && !isForced && experiment[ExperimentField.Ends]) || [];
  const change = [campaign[CampaignField.Changes], experiment[ExperimentField.Changes]?.[variation]]
    .flat()
    .find((each) => each && each[ChangeField.Kind] === ChangeKind.Redirect) as ChangeConfig | undefined;
  if (!change || ends[variation] <= (ends[variation - 1] || 0)) {
    return false;
  }
  return typeof change[ChangeField.Value] === "function" ? undefined : isSame(String(destinationOf(change)?.href), location.href);
};

/** As far as servers tell pages apart. */
const isSame = (one: string, other: string): boolean => normalizeUrl(withoutFragment(one)) === normalizeUrl(withoutFragment(other));
