/** `Date`, whatever the page has declared under the name. The linked program has no other: see ../main.ts. */

import { attempt } from "../attempt";

export const Date = attempt(() => window.Date) as DateConstructor;
