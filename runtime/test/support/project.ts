/** Builders of configurations. They hide what a test does not care about. */

import type { AudienceConfig, AudienceTree, CampaignConfig, ChangeConfig, ConditionTree, PageConfig } from "../../src/project/config";

export const everywhere: ConditionTree = [];

export const urlContains = (value: string): ConditionTree => ["and", ["or", { type: "url", match: "substring", value }]];

/** A page that is active everywhere. */
export const home: PageConfig = [2001, "home", "Home", everywhere];

export const manualPage: PageConfig = [2002, "manual", "Manual", everywhere, 0, 0, 0, "manual"];

interface AbTest {
  id?: number;
  pages?: number | number[];
  audiences?: AudienceTree;
  /** Cumulative; equal shares if left out. */
  ends?: number[];
  holdback?: number;
  /** One list a variation. */
  changes?: (ChangeConfig[] | 0)[];
  shared?: ChangeConfig[];
}

/** Campaign 3001, experiment 4001, variations 5001 Original and 5002 Short; with another id, the same plus as much. */
export const abTest = ({ id = 3001, pages = 0, audiences, ends, holdback, changes, shared }: AbTest = {}): CampaignConfig => {
  const variations = [id + 2000, "Original", id + 2001, "Short"];
  return [id, "Hero text", pages, [[id + 1000, 1, variations, audiences ?? 0, ends ?? 0, changes ?? []]], 0, holdback ?? 0, 0, shared ?? 0];
};

/** An A/B test whose visitors are all in its second variation. */
export const everybodyGets = (...changes: ChangeConfig[]): CampaignConfig => abTest({ ends: [0, 10000], changes: [0, changes] });

interface Personalization {
  holdback?: number;
  priorities?: number[][];
  first?: AudienceTree;
}

/** Campaign 3101 with experiments 4101 Loyal, for whom `first` says, and 4102 Everyone. */
export const personalization = ({ holdback, priorities, first }: Personalization = {}): CampaignConfig => [
  3101,
  "Welcome",
  0,
  [
    [4101, "Loyal", [5101, "Banner"], first ?? 0],
    [4102, "Everyone", [5102, "Ribbon"]],
  ],
  1,
  holdback ?? 0,
  priorities ?? 0,
];

/** Visitors with `?loyal=1`. */
export const loyal: AudienceConfig = [6001, "Loyal", ["or", { type: "query", name: "loyal", match: "exact", value: "1" }]];
