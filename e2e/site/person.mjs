/** A person at any browser: reads what is visible, fills in fields by their labels, and clicks what is there to be clicked. */

/** A page that is not there by then does not come any more. */
const ARRIVAL_MS = 30_000;

export class Person {
  /** How often they clicked. */
  clicks = 0;
  /** @type {import("../browsers/browsers.mjs").Tab} */
  #tab;

  constructor(tab) {
    this.#tab = tab;
  }

  async open(url) {
    await this.#leave();
    await this.#tab.goTo(url);
    await this.#arrive();
  }

  /** Types into the first visible field with this label. */
  fill(label, value) {
    return this.#evaluate(fillIn, { label, value });
  }

  /** Clicks a link, a button or a label that reads so, in the group of that name if one is given, and stays on the page. */
  async click(words, group) {
    this.clicks += 1;
    await this.#evaluate(clickOn, { words, group });
  }

  /** The same, and waits for the page that comes then. */
  async follow(words, group) {
    await this.#leave();
    await this.click(words, group);
    await this.#arrive();
  }

  /** What an element shows. */
  textOf(selector) {
    return this.#evaluate((wanted) => document.querySelector(wanted)?.innerText ?? null, selector);
  }

  close() {
    return this.#tab.close();
  }

  /** The page that is left knows it, the next one does not. */
  #leave() {
    return this.#evaluate(() => void (window.isLeft = true));
  }

  async #arrive() {
    const deadline = Date.now() + ARRIVAL_MS;
    while (!(await this.#hasArrived())) {
      if (Date.now() > deadline) throw new Error("no page came");
    }
  }

  /** Between two pages there is none that could answer. */
  #hasArrived() {
    return this.#evaluate(() => !window.isLeft && document.readyState === "complete" && location.protocol !== "about:").catch(() => false);
  }

  #evaluate(run, argument) {
    return this.#tab.evaluate(`(${run})(${JSON.stringify(argument)})`);
  }
}

/** Runs in the page. */
const fillIn = ({ label, value }) => {
  const labels = [...document.querySelectorAll("label")].filter((one) => one.checkVisibility() && one.innerText.trim() === label);
  if (!labels.length) throw new Error(`no field “${label}”`);
  const field = labels[0].control;
  field.focus();
  field.value = value;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
};

/** Runs in the page. What something else covers cannot be clicked. */
const clickOn = ({ words, group }) => {
  const within = group ? document.querySelector(`[role=group][aria-label=${CSS.escape(group)}]`) : document;
  const all = [...(within?.querySelectorAll("a, button, label, summary") ?? [])];
  const target = all.find((one) => one.checkVisibility() && one.innerText.trim() === words && !one.disabled);
  if (!target) throw new Error(`nothing to click reads “${words}”`);
  target.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = target.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  if (!target.contains(hit)) throw new Error(`“${words}” is covered by ${hit?.outerHTML.slice(0, 80)}`);
  // The answer comes back before the click's page goes.
  setTimeout(() => target.click());
};
