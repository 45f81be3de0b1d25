/**
 * The page views of random visitors in both of their forms: as the browser plays them, and as `assay decide` is asked about them.
 * Between two views of a visitor stands what the page remembers; `assay decide` has no memory, and must be told.
 */

/**
 * @param {string} origin
 * @param {import("./visits.mjs").Visitor} visitor
 * @param {Record<"before" | "now", object>} revisions project documents
 */
export const viewsOf = (origin, { before, views }, revisions) => {
  const earlier = before && [{ ...playable(origin, { ...before, query: unforced(before.query) }, revisions.before), revision: "before" }];
  return [...(earlier ?? []), ...views.map((view) => ({ ...playable(origin, view, revisions.now), revision: "now" }))];
};

const playable = (origin, { path, query, fragment, pages, ...rest }, { pages: known }) => ({
  url: new URL(origin + path + query + fragment).href,
  ...rest,
  pages: pages.filter((key) => known.some((page) => page.key === key)),
  pushedPages: pages.filter((key) => known.some((page) => page.key === key && page.activation?.type === "manual")),
});

/** Only a snippet that can be forced keeps what was asked for, which an earlier revision need not be. */
const unforced = (query) => query.replace(/experimentation_x/g, "experimentation_z");

/** What the page remembers of a visitor from view to view, as far as `assay decide` has to be told. */
export class Memory {
  /** @type {Record<string, string>} */
  variations = {};
  /** @type {Record<string, string>} */
  groups = {};
  /** What else is stored, by its key: runtime/src/visitor/memory.ts lists them. */
  stored = {};
  /** What the address asked for last, by parameter: for the tab. */
  asked = {};

  /** The question to ask about a view. */
  visit({ id, attributes }, view) {
    const { url, referrer, cookies, userAgent, touchPoints, language, localTime, location, pages } = view;
    return {
      visitor_id: id,
      url,
      referrer,
      cookies,
      attributes,
      user_agent: userAgent,
      touch_points: touchPoints,
      language,
      local_time: localTime,
      ...(location && { location }),
      first_session: this.#isFirstSession(view),
      history: this.#history(view),
      remembered: Object.fromEntries(Object.entries(REMEMBERED).map(([name, key]) => [name, decoded(this.stored[key] ?? "")])),
      variations: { ...this.variations },
      groups: { ...this.groups },
      ...(this.#isAskedAgain(view, "x") ? {} : { force: listed(this.asked.x) }),
      ...(this.#isAskedAgain(view, "x_audiences") ? {} : { force_audiences: listed(this.asked.x_audiences) }),
      pages,
    };
  }

  #isFirstSession({ localTime }) {
    const [isFirst, minute] = (this.stored.ses ?? "").split(".").map(Number);
    if (!minute) return !this.stored.day;
    return isFirst === 1 && timeOf(localTime) / 60_000 - minute <= 30;
  }

  /** What is stored of earlier page views, and the events of this one. Clocks that went back show what was done tomorrow as done today. */
  #history({ localTime, events }) {
    const today = Math.floor(timeOf(localTime) / 86_400_000);
    const earlier = Object.entries(this.stored)
      .filter(([key]) => key[0] === "b")
      .flatMap(([key, text]) => {
        const name = decoded(key.slice(1));
        const deed = name[0] === "e" ? { event: name.slice(1) } : { page: name.slice(1) };
        return [...text.matchAll(/(\d+)\.(\d+)/g)].map(([, day, times]) => ({
          ...deed,
          days_ago: Math.max(0, today - Number(day)),
          times: Number(times),
        }));
      });
    return [...earlier, ...events.map((event) => ({ event }))];
  }

  #isAskedAgain({ url }, name) {
    return parameter(url, `experimentation_${name}`) !== undefined;
  }

  /**
   * Takes in what a view left behind: what the page says is in the variation map, and in which group's campaign the visitor is.
   * @param {object} project
   * @param {object} said by the page
   * @param {object} answer
   */
  note(project, { url }, said, answer) {
    if (project.project.snippet.allow_force) {
      for (const name of ["x", "x_audiences"]) this.asked[name] = parameter(url, `experimentation_${name}`) ?? this.asked[name];
    }
    const texts = said.stored.split("|")[2]?.split(",") ?? [];
    this.stored = Object.fromEntries(texts.flatMap((key, at) => (at % 2 === 0 ? [[key, texts[at + 1]]] : [])));
    // A forced variation is shown in the map, but not remembered.
    const forced = listed(this.asked.x);
    for (const [experiment, { id }] of Object.entries(said.variationMap)) {
      if (!forced.includes(id)) this.variations[experiment] = id;
    }
    for (const { id, members } of project.groups) {
      const campaign = answer.groups[id];
      if (campaign && members.some((member) => isOnPage(project, said, member.campaign))) this.groups[id] = campaign;
    }
  }
}

/** What is kept from the first page view on, by the key under which the page stores it. */
const REMEMBERED = { campaign: "utm", referrer: "ref", source_type: "src", device: "dev", device_type: "kind", browser_version: "ver" };

/** In November, the clocks of Berlin are an hour ahead. */
const timeOf = (localTime) => Date.parse(`${localTime}+01:00`);

const isOnPage = (project, said, campaignKey) => {
  const { status, pages } = project.campaigns.find(({ key }) => key === campaignKey);
  return status === "running" && Object.values(said.pages).some(({ apiName, isActive }) => isActive && pages.includes(apiName));
};

const listed = (asked) =>
  asked
    ? decoded(asked)
        .split(",")
        .map((id) => id.trim())
    : [];

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The first of that name in the address, as it is written. */
const parameter = (url, name) => {
  const pair = new URL(url).search
    .slice(1)
    .split("&")
    .find((each) => each.split("=")[0] === name);
  return pair?.slice(name.length + 1);
};
