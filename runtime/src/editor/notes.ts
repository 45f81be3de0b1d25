/** What the editor has to say about the page it is on. */

import { isCampaignOnPage } from "../pageView/activation";
import { campaigns, editing } from "../project/config";
import { variationIdAt } from "../project/items";
import { consoleStatus, hasConsole } from "./connection";

const NOT_ACTIVE = "The campaign is not active on this page: neither you nor visitors see its changes here. Check the campaign’s pages.";
const NO_CONSOLE =
  "This site cuts the connection to the console (Cross-Origin-Opener-Policy), or the console’s window was closed or shows another page: copy the changes below.";

/** The notes, with what the console said last. */
export const notes = (): string[] =>
  [isOnPage() ? "" : NOT_ACTIVE, hasConsole() ? "" : NO_CONSOLE, consoleStatus()].filter((note) => note);

/** Whether the edited variation is in force on the page. */
const isOnPage = (): boolean => {
  let isActive = false;
  campaigns.forEach((campaign) => {
    const { experiment_: experiment, variation_: variation } = campaign.decision_ || {};
    isActive ||= !!experiment && variationIdAt(experiment, Number(variation)) === editing.variation && isCampaignOnPage(campaign);
  });
  return isActive;
};
