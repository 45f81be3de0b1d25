/** Whether anybody may be told anything about this visitor. */

import { visitor } from "../visitor/visitor";
import { tracking } from "./tracking";

export const mayTell = (): boolean => visitor.isKept && !tracking.isOff;
