/** Tags that hold for every page, for the rest of the page view. */

import type { PageTags } from "../../types/index";

export const globalTags: PageTags = {};
