/** The value of the page's first query parameter of that name, as it stands in the address: not decoded. */

import { namedValue } from "./namedValue";

export const queryParameter = (name: string): string | undefined => namedValue(location.search.slice(1), "&", name);
