/** Where a redirect leads from this page; `undefined` where there is no address to go to, or not one of a page. */

import { ChangeField } from "../config";
import type { ChangeConfig } from "../config";
import { guarded } from "../guarded";
import { RedirectFlag } from "./RedirectFlag";
import { withParametersOf } from "./withParametersOf";

export const destinationOf = (change: ChangeConfig): URL | undefined => {
  const destination = change[ChangeField.Value];
  const url = guarded(() => new URL(String(typeof destination === "function" ? destination() : destination), location.href));
  if (!url || !/^https?:$/.test(url.protocol)) {
    return undefined;
  }
  return Number(change[ChangeField.Extra]) & RedirectFlag.PreserveParameters ? withParametersOf(url, location.search) : url;
};
