/** Apps that render what they like, whenever they like. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { assertShown, BODY, fullShop, shopPage } from "../../site/fullShop.mjs";
import { setRoutedStage } from "../../site/routedStage.mjs";

const stage = setRoutedStage();

/** Two frames: all that is due has been done. */
const frames = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

test("a framework that renders everything anew gets every change again, before it is seen", () =>
  stage.visit(async (site) => {
    await site.publish(fullShop());
    site.write("/", shopPage({ body: `<div id="app">${BODY}</div>` }));
    await site.open();
    await assertShown(site);

    for (let renders = 0; renders < 3; renders++) {
      const painted = await site.page.evaluate(async (html) => {
        document.querySelector("#app").innerHTML = html;
        return new Promise((resolve) => requestAnimationFrame(() => new ResizeObserver(() => resolve(document.querySelector("h1").textContent)).observe(document.body)));
      }, BODY);
      assert.equal(painted, "Changed");
      await assertShown(site);
    }
  }));

test("a framework that mends single texts and attributes is mended, too", () =>
  stage.visit(async (site) => {
    await site.publish(fullShop());
    site.write("/", shopPage());
    await site.open();

    await site.page.evaluate(() => {
      document.querySelector("h1").firstChild.data = "Hello";
      document.querySelector("#style").style.color = "";
      document.querySelector("#class").className = "topic";
      document.querySelector("#attribute").title = "";
      document.querySelector("#insert + i").remove();
      document.querySelector("#html").textContent = "plain";
    });
    await frames(site.page);

    assert.equal(await site.page.evaluate(() => document.querySelector("#class").className), "topic is-new");
    await site.page.evaluate(() => { document.querySelector("#class").className = "is-new"; });
    await assertShown(site);
  }));

/** An app that takes each change back as soon as it sees it, and counts. */
const GAVE_UP = "experimentation: gave up";

const FIGHT = `
  window.fights = 0;
  new MutationObserver(() => {
    const headline = document.querySelector("h1");
    if (headline && headline.textContent !== "Hello") { fights++; headline.textContent = "Hello"; }
  }).observe(document, { childList: true, characterData: true, subtree: true });`;

test("an app that takes a change back each time wins after ten times, is told so, and stays responsive", () =>
  stage.visit(async (site) => {
    const logged = [];
    site.page.on("console", (message) => logged.push(message.text()));
    const gaveUp = site.page.waitForEvent("console", (message) => message.text().startsWith(GAVE_UP));
    await site.publish(fullShop());
    site.write("/", shopPage({ after: `<script>${FIGHT}</script>` }));
    await site.open();

    await gaveUp;
    const fightsThen = await site.page.evaluate(() => window.fights);
    for (let count = 0; count < 30; count++) {
      await frames(site.page);
    }
    const [fights, headline, others] = await site.page.evaluate(() => [window.fights, document.querySelector("h1").textContent, document.querySelector("#html").textContent]);
    // Ten within a second: a browser that is kept busy may begin to count anew before.
    assert.ok(fights >= 10, String(fights));
    assert.equal(fights, fightsThen, "it is left alone from then on");
    assert.equal(headline, "Hello");
    assert.equal(others, "bold", "the other changes stand");
    assert.equal(logged.filter((line) => line.startsWith(GAVE_UP)).length, 1);
  }));
