/** Decodes percent signs; a text with stray ones stays as it is. */

import { attempt } from "../attempt";

export const decodePercent = (text: string): string => attempt(() => decodeURIComponent(text)) ?? text;
