/** The active pages, by place in `pages`: the tags that were pushed with each; nothing for an inactive one. */

import type { PageTags } from "../../types/index";

export const activePages: (PageTags | undefined)[] = [];
