/** The cookies that the project's audiences ask for, by name, decoded; those that are not there are left out. */

import { AudienceField, audiences } from "../config";
import type { ConditionTree } from "../config";
import { cookieValue } from "./cookieValue";

export const askedCookies = (): Record<string, string> => {
  const asked: Record<string, string> = {};
  const ask = (tree: ConditionTree): void => {
    for (const operand of tree) {
      if (Array.isArray(operand)) {
        ask(operand as ConditionTree);
      } else if (typeof operand === "object" && "type" in operand && operand.type === "cookies") {
        const { name = "" } = operand;
        const value = cookieValue(name);
        if (value !== undefined) {
          asked[name] = value;
        }
      }
    }
  };
  audiences.forEach((audience) => ask(audience[AudienceField.Conditions]));
  return asked;
};
