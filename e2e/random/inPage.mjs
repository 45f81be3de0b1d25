/**
 * Plays page views in one document of a real browser, quickly: instead of loading each page anew, it puts everything that the snippet
 * can ask the browser for in the place where it will ask, and then runs the snippet as its script element would.
 */

/**
 * Runs in the browser. Each visitor starts with nothing stored.
 * @param {{snippets: Record<string, string>, campaignIds: string[], visitors: {id: string, attributes: object, views: object[]}[]}} batch
 * @returns for each visitor and view what the state module says
 */
export const play = ({ snippets, campaignIds, visitors }) => {
  const RealDate = Date;
  const programs = Object.fromEntries(Object.entries(snippets).map(([name, text]) => [name, Function(text)]));

  const define = (target, name, value) => Object.defineProperty(target, name, { value, configurable: true, writable: true });

  const setClock = (localTime) => {
    const [year, month, day, hour, minute] = localTime.match(/\d+/g).map(Number);
    const now = new RealDate(year, month - 1, day, hour, minute).getTime();
    window.Date = class extends RealDate {
      constructor(...args) {
        super(...(args.length > 0 ? args : [now]));
      }
      static now() {
        return now;
      }
    };
  };

  /** What this site wrote, by name. Cookies are slow, so that only those are written that change. */
  const jar = {};
  const setCookies = (wanted) => {
    for (const name of Object.keys(jar).filter((each) => !(each in wanted))) {
      document.cookie = `${name}=; path=/; max-age=0`;
      delete jar[name];
    }
    for (const [name, value] of Object.entries(wanted).filter(([each, text]) => jar[each] !== text)) {
      document.cookie = `${name}=${value}; path=/`;
      jar[name] = value;
    }
  };

  /** The snippet renews it for the whole domain, where it would outlive the visitor. */
  const forgetVisitor = () => {
    document.cookie = `experimentation_id=; path=/; max-age=0; domain=${location.hostname.replace(/^www\./, "")}`;
    // Renewing it, the snippet took away the one that is only for this host.
    delete jar.experimentation_id;
    localStorage.clear();
    sessionStorage.clear();
  };

  const enter = ({ url, referrer, cookies, userAgent, touchPoints, language, localTime, location: place, events, pages, pushedPages }, { id, attributes }) => {
    // The page view before would follow the address.
    window.experimentation?.push({ type: "disable" });
    delete window.experimentation;
    history.replaceState(null, "", url);
    setCookies({ ...cookies, experimentation_id: encodeURIComponent(id) });
    define(document, "referrer", referrer);
    define(navigator, "userAgent", userAgent);
    define(navigator, "maxTouchPoints", touchPoints);
    define(navigator, "language", language);
    setClock(localTime);
    window.readyPages = pages;
    const decided = [];
    window.experimentation = [
      { type: "addListener", filter: { name: "campaignDecided" }, handler: ({ data }) => decided.push(data.campaign.id) },
      { type: "user", attributes },
      ...(place ? [{ type: "location", ...place }] : []),
      ...events.map((eventName) => ({ type: "event", eventName })),
      ...pushedPages.map((pageName) => ({ type: "page", pageName })),
    ];
    return decided;
  };

  const said = () => {
    const state = window.experimentation.get("state");
    return {
      address: location.href,
      visitorId: window.experimentation.get("visitor").visitorId,
      pages: state.getPageStates(),
      campaigns: state.getCampaignStates(),
      experiments: state.getExperimentStates(),
      activeExperimentIds: state.getActiveExperimentIds(),
      variationMap: state.getVariationMap(),
      decisionStrings: Object.fromEntries(campaignIds.map((campaignId) => [campaignId, state.getDecisionString({ campaignId })])),
    };
  };

  const view = (visitor, page) => {
    const decided = enter(page, visitor);
    programs[page.revision]();
    return { ...said(), decided, stored: Object.values(localStorage).join() };
  };

  const visit = (visitor) => {
    forgetVisitor();
    return visitor.views.map((page) => view(visitor, page));
  };

  const result = visitors.map(visit);
  window.experimentation.push({ type: "disable" });
  delete window.experimentation;
  window.Date = RealDate;
  return result;
};
