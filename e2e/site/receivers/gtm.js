/**
 * Stands in for a Google Tag Manager container that is set up as docs/integrations.md says: pushes are merged into a model; the
 * container's own start is the page view, and the event of a decision a Google Analytics 4 event with three variables.
 */

(() => {
  const model = {};
  const send = (name, parameters) => {
    const query = new URLSearchParams({ en: name, dl: location.href, dr: model.page_referrer ?? document.referrer });
    for (const key of parameters) query.set(`ep.${key}`, model[key]);
    fetch(`http://collector.test/g/collect?${query}`, { method: "POST", keepalive: true });
  };
  const take = (entry) => {
    Object.assign(model, entry);
    if (entry.event === "gtm.js") send("page_view", []);
    if (entry.event === "experience_impression") send(entry.event, ["exp_variant_string", "experiment", "variation"]);
    if (entry.event === "marker") send("marker", []);
  };
  const layer = (window.dataLayer ??= []);
  layer.forEach(take);
  layer.push = (...entries) => {
    entries.forEach(take);
    return Array.prototype.push.apply(layer, entries);
  };
})();
