/** Proves that the declarations say what callers rely on: this file only has to compile. */

import type { CampaignState, CommandQueue, CustomAttribute, DecisionObject, ExplanationStep, Experimentation, NameIdObject } from "./index";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

declare function isSame<A, B>(proof: Same<A, B>): void;

const { experimentation } = window;
const state = experimentation.get("state");

isSame<typeof experimentation, Experimentation>(true);
isSame<ReturnType<typeof state.getActiveExperimentIds>, string[]>(true);
isSame<ReturnType<typeof state.getCampaignStates>[string]["variation"], NameIdObject | null>(true);
isSame<ReturnType<typeof state.getVariationMap>[string]["index"], number>(true);
isSame<ReturnType<typeof state.getDecisionObject>, DecisionObject | null>(true);

state.getCampaignStates();
state.getCampaignStates({ isActive: true, variation: { id: "5002" } });
state.getCampaignStates((campaign: CampaignState, id: string) => campaign.isActive && id !== "3001");
state.getPageStates({ isActive: true });
state.getDecisionString({ campaignId: 3001, shouldCleanString: true, maxLength: 100 });

// @ts-expect-error isActive is no text, though the specification declares one: its values are booleans
state.getCampaignStates({ isActive: "true" });
// @ts-expect-error the configuration is required
state.getDecisionString();
// @ts-expect-error there is no such command
experimentation.push({ type: "activated" });
// @ts-expect-error a page command names its page
experimentation.push({ type: "page" });

experimentation.push({
  type: "addListener",
  filter: { type: "lifecycle", name: "campaignDecided" },
  handler: (event) => {
    if (event.name === "campaignDecided") {
      isSame<typeof event.data.decision.variationId, string | null>(true);
    }
  },
});

const queue: CommandQueue = [{ type: "page", pageName: "checkout", tags: { total: 12.5 } }];
queue.push({ type: "user", attributes: { plan: "gold" } });
queue.push({ type: "bucketVisitor", experimentId: "4001", variationId: 5002 });
queue.push({ type: "bucketVisitor", experimentId: 4001, campaignId: "3001", variationIndex: 0 });
queue.push({ type: "event", eventName: "bought", tags: { revenue: 990 } });
queue.push({ type: "cookieDomain", cookieDomain: "www.shop.example" }, { type: "consent", granted: true });
// @ts-expect-error consent is given or not
queue.push({ type: "consent", granted: "yes" });
// @ts-expect-error a variation is named by its id or by its place
queue.push({ type: "bucketVisitor", experimentId: "4001" });

experimentation.push({
  type: "addListener",
  filter: { type: "analytics", name: "trackEvent" },
  handler: (event) => {
    if (event.name === "trackEvent") {
      isSame<typeof event.data.eventName, string>(true);
    }
  },
});

const steps = state.explain?.("3001");
isSame<typeof steps, ExplanationStep[] | null | undefined>(true);

const visitor = experimentation.get("visitor");
isSame<typeof visitor.queryParams, [name: string, value: string][] | undefined>(true);
isSame<typeof visitor.custom, Record<string, CustomAttribute> | undefined>(true);
// @ts-expect-error it is there only where an audience asks for it
visitor.device.length;
