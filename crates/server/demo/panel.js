/**
 * The dock on every page of the demo shop: shows what each function of `window.experimentation.get("state")` returns right now.
 * Nothing is polled: Assay tells about every decision through lifecycle events. Its look is in panel.css.
 */

const PROJECT_ID = "1000";
const OPEN_KEY = "demo-panel-open";
const WIDE = window.matchMedia("(min-width: 75rem)");

/** What the panel calls. The two decision functions are asked about each campaign the visitor has met. */
const READINGS = [
  ["getActiveExperimentIds", "()", (state) => state.getActiveExperimentIds()],
  ["getVariationMap", "()", (state) => state.getVariationMap()],
  ["getDecisionString", "({ campaignId })", (state) => forEachCampaign(state, state.getDecisionString)],
  ["getDecisionObject", "({ campaignId })", (state) => forEachCampaign(state, state.getDecisionObject)],
  ["getCampaignStates", "()", (state) => state.getCampaignStates()],
  ["getExperimentStates", "()", (state) => state.getExperimentStates()],
  ["getPageStates", "()", (state) => state.getPageStates()],
  ["getRedirectInfo", "()", (state) => state.getRedirectInfo()],
  ["getActivationId", "()", (state) => state.getActivationId()],
];

const forEachCampaign = (state, describe) =>
  Object.fromEntries(Object.keys(state.getCampaignStates()).map((campaignId) => [campaignId, describe({ campaignId })]));

/** `element("a", { href: "./" }, "Home")`: an element with attributes and children. */
const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children);
  return made;
};

/** Storage throws where the browser refuses it; the shop works without, and so does the panel. */
const attempt = (action) => {
  try {
    return action();
  } catch {
    return undefined;
  }
};

// Drawing

const summary = element("p", { class: "panel-summary", "data-panel-summary": "" });
const visitor = element("code", { "data-panel-visitor": "" });
const readings = READINGS.map(([name, call, read]) => ({ name, call, read, output: element("pre", { "data-panel": name }) }));

const toggle = element(
  "button",
  { class: "panel-toggle", type: "button", "aria-controls": "panel-body" },
  element("span", { class: "panel-title" }, "Assay sees"),
);
const newVisitor = element("button", { type: "button", "data-new-visitor": "" }, "New visitor");
const body = element(
  "div",
  { class: "panel-body", id: "panel-body" },
  element(
    "div",
    { class: "panel-actions" },
    newVisitor,
    element("a", { href: "./?utm_campaign=newsletter" }, "Arrive from the newsletter"),
    element("a", { href: "mug.html" }, "Go to the mug (redirect test)"),
  ),
  element("p", { class: "panel-visitor" }, "Visitor ", visitor),
  element("p", { class: "panel-source" }, element("code", {}, 'state = window["experimentation"].get("state")')),
  ...readings.map(({ name, call, output }) =>
    element("details", { open: "" }, element("summary", {}, element("code", {}, "state.", element("b", {}, name), call)), output),
  ),
);
const panel = element("aside", { class: "panel", "data-panel": "", "aria-label": "What Assay sees" }, toggle, summary, body);

const setOpen = (isOpen) => {
  body.hidden = !isOpen;
  toggle.setAttribute("aria-expanded", String(isOpen));
  document.documentElement.classList.toggle("panel-open", isOpen);
};

/** JSON as text nodes and coloured spans, so that `textContent` stays plain JSON. */
const highlight = (json) => {
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.e+-]*/gi;
  const parts = [];
  let end = 0;
  for (const match of json.matchAll(token)) {
    const [text, string, colon] = match;
    const kind = colon ? "key" : string ? "string" : "word";
    parts.push(json.slice(end, match.index), element("span", { class: `json-${kind}` }, text));
    end = match.index + text.length;
  }
  return [...parts, json.slice(end)];
};

// Reading

/** "Hero text → Short": an A/B test is told by its variation, a personalization by its experiment. */
const outcome = (campaign, abTests) => {
  if (campaign.isInCampaignHoldback) return "held back";
  const chosen = campaign.experiment && campaign.experiment.id in abTests ? campaign.variation : campaign.experiment;
  return chosen ? chosen.name || chosen.id : "not in it";
};

const summarise = (state) => {
  const abTests = state.getExperimentStates();
  const active = Object.values(state.getCampaignStates({ isActive: true }));
  if (active.length === 0) return ["No campaign is active on this page."];
  const told = active.flatMap((campaign, index) => [
    index ? "; " : "",
    `${campaign.campaignName || campaign.id} → `,
    element("strong", {}, outcome(campaign, abTests)),
  ]);
  return [state.getRedirectInfo() ? "You were redirected here: " : "You are in ", ...told, "."];
};

const show = ({ read, output }, state) => {
  const json = String(JSON.stringify(read(state), null, 2));
  if (output.textContent === json) return;
  output.replaceChildren(...highlight(json));
};

const refresh = () => {
  const state = window.experimentation.get("state");
  summary.replaceChildren(...summarise(state));
  // A visitor who opted out has no id.
  visitor.textContent = window.experimentation.get("visitor")?.visitorId ?? "unknown";
  readings.forEach((reading) => show(reading, state));
};

// Forgetting

/** A cookie is only deleted with the domain it was set on, which may be any parent of this host. */
const forgetCookie = (name) => {
  const labels = location.hostname.split(".");
  const domains = labels.map((_, index) => `; domain=${labels.slice(index).join(".")}`);
  ["", ...domains].forEach((domain) => {
    document.cookie = `${name}=; path=/; max-age=0${domain}`;
  });
};

const startAnew = () => {
  forgetCookie("experimentation_id");
  attempt(() => localStorage.removeItem(`experimentation:${PROJECT_ID}`));
  attempt(() =>
    Object.keys(sessionStorage)
      .filter((key) => key.startsWith("experimentation"))
      .forEach((key) => sessionStorage.removeItem(key)),
  );
  location.assign("./");
};

// Starting

const listen = () => {
  window.experimentation.push({ type: "addListener", filter: { type: "lifecycle" }, handler: refresh });
  // Another tab may have changed the visitor; and the back button brings back an old page without running it again.
  window.addEventListener("focus", refresh);
  window.addEventListener("pageshow", refresh);
};

newVisitor.addEventListener("click", startAnew);
toggle.addEventListener("click", () => {
  setOpen(body.hidden);
  attempt(() => sessionStorage.setItem(OPEN_KEY, body.hidden ? "no" : "yes"));
});

const remembered = attempt(() => sessionStorage.getItem(OPEN_KEY));
setOpen(remembered ? remembered === "yes" : WIDE.matches);
document.body.append(panel);

if (typeof window.experimentation?.get === "function") {
  refresh();
  listen();
} else {
  body.replaceChildren();
  summary.textContent = "The snippet did not load, so this is the shop without experiments.";
}
