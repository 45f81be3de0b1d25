/** The state module as a whole: all that it returns, and all that it must return. */

/** No project has it. */
const UNKNOWN_CAMPAIGN = "9";

/**
 * What each function returns without a filter. `decisions` has what getDecisionString and getDecisionObject return for each of the
 * campaigns, and for one that does not exist.
 * @param {import("playwright-core").Page | import("playwright-core").Frame} page
 * @param {string[]} campaignIds
 */
export const readState = (page, campaignIds) =>
  page.evaluate(
    (ids) => {
      const state = window.experimentation.get("state");
      return {
        getActiveExperimentIds: state.getActiveExperimentIds(),
        getCampaignStates: state.getCampaignStates(),
        getExperimentStates: state.getExperimentStates(),
        getPageStates: state.getPageStates(),
        getRedirectInfo: state.getRedirectInfo(),
        getVariationMap: state.getVariationMap(),
        decisions: Object.fromEntries(
          ids.map((campaignId) => [campaignId, [state.getDecisionString({ campaignId }), state.getDecisionObject({ campaignId })]]),
        ),
      };
    },
    [...campaignIds, UNKNOWN_CAMPAIGN],
  );

/**
 * @typedef {object} Decided what became of a campaign
 * @property {string | null} experiment id
 * @property {string | null} variation id
 * @property {boolean} [isActive] true if left out and there is a variation
 * @property {boolean} [isHeldBack]
 * @property {boolean} [isRedirected]
 * @property {string[]} [audiences] ids of those that were met
 */

/**
 * What the functions must return. All names come from the project; what is not said is not there.
 * @param {object} project
 * @param {object} said
 * @param {Record<string, Decided>} [said.campaigns]
 * @param {Record<string, object>} [said.activePages] what each shows as its metadata
 * @param {Record<string, object>} [said.remembered] entries of the variation map from earlier, or from elsewhere
 * @param {object | null} [said.redirect]
 * @param {string[]} [said.gone] campaigns that were published earlier
 */
export const stateOf = (project, { campaigns = {}, activePages = {}, remembered = {}, redirect = null, gone = [] }) => {
  const named = withNames(project);
  const decided = named.campaigns.filter(({ id }) => id in campaigns);
  const states = decided.map((campaign) => campaignState(named, campaign, campaigns[campaign.id]));
  const abTests = decided.filter(({ type }) => type === "ab_test");
  const ids = [...named.campaigns.map(({ id }) => id), ...gone, UNKNOWN_CAMPAIGN];
  return {
    getActiveExperimentIds: states.filter(({ isActive }) => isActive).map(({ experiment }) => experiment.id),
    getCampaignStates: byId(states),
    getExperimentStates: byId(
      abTests.map((campaign) =>
        experimentState(
          campaign,
          states.find(({ id }) => id === campaign.id),
        ),
      ),
    ),
    getPageStates: byId(named.pages.map((page) => pageState(page, activePages[page.id]))),
    getRedirectInfo: redirect,
    getVariationMap: { ...remembered, ...Object.fromEntries(decided.flatMap((campaign) => mapEntry(campaign, campaigns[campaign.id]))) },
    decisions: Object.fromEntries(
      ids.map((id) => [
        id,
        descriptions(
          decided.find((each) => each.id === id),
          states.find((each) => each.id === id),
        ),
      ]),
    ),
  };
};

/** What a project is made of, as its snippet names it. */
const withNames = (project) => {
  const nameless = (list) => list.map((each) => ({ ...each, name: null }));
  const { pages = [], audiences = [], campaigns = [] } = project;
  if (!project.project.snippet?.exclude_names) return { pages, audiences, campaigns };
  const experiments = (list) => nameless(list).map((each) => ({ ...each, variations: nameless(each.variations) }));
  return {
    campaigns: nameless(campaigns).map((each) => ({ ...each, experiments: experiments(each.experiments) })),
    audiences: nameless(audiences),
    pages: nameless(pages),
  };
};

const nameId = ({ id, name = null }) => ({ id, name });

const byId = (states) => Object.fromEntries(states.map((state) => [state.id, state]));

const find = (list, id) => (id === null ? null : list.find((each) => each.id === id));

const campaignState = (
  { audiences },
  campaign,
  { experiment, variation, isActive, isHeldBack = false, isRedirected = false, audiences: met = [] },
) => {
  const chosen = find(campaign.experiments, experiment);
  const given = chosen && find(chosen.variations, variation);
  return {
    id: campaign.id,
    campaignName: campaign.name ?? null,
    experiment: chosen && nameId(chosen),
    variation: given && nameId(given),
    isActive: isActive ?? given !== null,
    visitorRedirected: isRedirected,
    isInCampaignHoldback: isHeldBack,
    audiences: met.map((id) => nameId(find(audiences, id))),
  };
};

/** That of the campaign's only experiment, also when the visitor is not in it. */
const experimentState = (
  { experiments: [{ id, name = null }] },
  { audiences, variation, isActive, isInCampaignHoldback, visitorRedirected },
) => ({
  id,
  experimentName: name,
  audiences,
  variation,
  isActive,
  isInExperimentHoldback: isInCampaignHoldback,
  visitorRedirected,
});

const pageState = ({ id, name = null, key, category = "other", conditions = [], tags = [] }, metadata) => ({
  id,
  name,
  apiName: key,
  category,
  staticConditions: conditions,
  tags: tags.map((tag) => tagObject(tag, metadata)),
  isActive: metadata !== undefined,
  metadata: metadata ?? {},
});

const tagObject = ({ key, category = null, locator = null, locator_type = null, value_type = null }, metadata = {}) => ({
  type: "tags",
  tags: key in metadata ? { [key]: metadata[key] } : {},
  category,
  locator,
  valueType: value_type,
  locatorType: locator_type,
  apiName: key,
});

const mapEntry = ({ experiments }, { experiment, variation }) => {
  const index = experiment && variation ? find(experiments, experiment).variations.findIndex(({ id }) => id === variation) : -1;
  return index < 0 ? [] : [[experiment, { ...nameId(find(experiments, experiment).variations[index]), index }]];
};

/** For names short enough not to be cut. */
const descriptions = (campaign, state) => {
  const isPersonalization = campaign?.type === "personalization";
  if (!state?.variation || (state.isInCampaignHoldback && !isPersonalization)) return [null, null];
  const texts = (space) =>
    [{ id: state.id, name: state.campaignName }, state.experiment, state.variation].map(
      ({ id, name }) => `${name ? name + space : ""}(${id})`,
    );
  const [campaignText, experiment, variation] = texts(" ");
  const holdback = state.isInCampaignHoldback;
  const line = [...(isPersonalization ? texts("") : texts("").slice(1)), ...(holdback ? ["holdback"] : [])].join(":");
  return [line, { experiment, variation, ...(isPersonalization && { campaign: campaignText, holdback }) }];
};
