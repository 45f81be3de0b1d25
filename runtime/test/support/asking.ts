/** A project with one campaign for those of whom some conditions hold. */

import type { ConditionTree } from "../../src/project/config";
import type { PageView, Project } from "./openPage";
import { abTest, home } from "./project";

export const asking = (conditions: ConditionTree, more: Project = {}): Project => ({
  pages: [home],
  audiences: [[6001, "Asked", conditions]],
  campaigns: [abTest({ audiences: ["or", 0] })],
  ...more,
});

/** Whether the visitor is in the audience; `undefined` as long as the campaign waits. */
export const isIn = ({ state }: PageView): boolean | undefined => state.getCampaignStates()["3001"]?.isActive;
