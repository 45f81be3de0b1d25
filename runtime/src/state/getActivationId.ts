/** `getActivationId`: the millisecond at which the present activation began; `0` while the snippet is switched off. */

import { pageView } from "../pageView";

export const getActivationId = (): string => String(pageView.activationId);
