/** The visitor's id in its cookie, or whatever else was written there: see writeIdCookie.ts. Empty for none. */

import { cookieValue } from "./cookieValue";

export const idCookie = (): string => cookieValue("experimentation_id") || "";
