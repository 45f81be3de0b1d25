/** Groups of mutually exclusive campaigns: which of them a visitor is given, and for how long. */

import { describe, expect, test } from "vitest";
import type { GroupConfig } from "../../src/project/config";
import { openPage } from "../support/openPage";
import { abTest, home } from "../support/project";

const first = abTest();
const second = abTest({ id: 3010 });
const outside = abTest({ id: 3020 });
const project = { pages: [home], campaigns: [first, second, outside] };
const ids = [3001, 3010];
const allOfFirst: GroupConfig = [8001, ids, [10000, 10000]];
const allOfSecond: GroupConfig = [8001, ids, [0, 10000]];

const decided = async (groups: GroupConfig[], options = {}) => {
  const { state } = await openPage({ ...project, groups }, options);
  return Object.keys(state.getCampaignStates());
};

describe("a group", () => {
  test("gives each visitor one of its campaigns; the other is not decided at all", async () => {
    expect(await decided([allOfSecond])).toStrictEqual(["3010", "3020"]);
  });

  test("draws by visitor and group, as the vectors of bucketing say", async () => {
    document.cookie = "experimentation_id=visitor-1; path=/";

    expect(await decided([[2001, ids, [4858, 10000]]])).toStrictEqual(["3010", "3020"]);
    localStorage.clear();
    expect(await decided([[2001, ids, [4859, 10000]]])).toStrictEqual(["3001", "3020"]);
  });

  test("keeps to the campaign once given, whatever its weights become", async () => {
    await decided([allOfSecond]);

    expect(await decided([allOfFirst])).toStrictEqual(["3010", "3020"]);
  });

  test("gives another once the campaign is no longer in it", async () => {
    await decided([allOfSecond]);

    const { state } = await openPage({ ...project, groups: [[8001, [3001]]] });

    expect(state.getCampaignStates()["3001"].isActive).toBe(true);
  });

  test("shows none of the others where the drawn campaign does not run", async () => {
    expect(await decided([[8001, [3999, 3001, 3010], [10000, 10000, 10000]]])).toStrictEqual(["3020"]);
  });

  test("leaves visitors beyond the weights out", async () => {
    expect(await decided([[8001, ids, [0, 0]]])).toStrictEqual(["3020"]);
  });

  test("does not stand in the way of a variation that is asked for", async () => {
    const page = await decided([allOfSecond], { url: "https://www.shop.test/?experimentation_x=5002" });

    expect(page).toStrictEqual(["3001", "3010", "3020"]);
  });
});
