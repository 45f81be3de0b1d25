/** The array in which one of Google's tags finds what it is told, whenever it loads. */

import { globalObject } from "./globalObject";

export const dataLayer = (name: string): unknown[] => globalObject(name, (): unknown[] => []);
