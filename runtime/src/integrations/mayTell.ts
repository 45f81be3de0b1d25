/** Whether anybody may be told anything about this visitor. */

import { pageView } from "../pageView";

export const mayTell = (): boolean => !pageView.isOff;
