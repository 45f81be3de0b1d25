/** An experiment's audiences as integrations written for another product's interface read them: by id, in their tree, and by name. */

import { AudienceField, audiences, ExperimentField } from "../config";
import type { AudienceTree, ExperimentConfig } from "../config";

/** `null` for an experiment that everyone is in. */
export const namedAudiences = (experiment: ExperimentConfig): { audienceIds: unknown; audienceName: string | null } => {
  const tree = experiment[ExperimentField.Audiences];
  const names: string[] = [];
  const idsOf = (operand: AudienceTree | string): unknown => {
    if (typeof operand === "number") {
      names.push(audiences[operand][AudienceField.Name] || String(audiences[operand][AudienceField.Id]));
      return String(audiences[operand][AudienceField.Id]);
    }
    return typeof operand === "string" ? operand : operand.map(idsOf);
  };
  const audienceIds = tree ? [idsOf(tree)].flat() : null;
  return { audienceIds, audienceName: names.join(", ") || null };
};
