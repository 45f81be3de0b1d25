/**
 * Stands in for Google's tag, which is on no registry: it takes commands from the data layer as Google documents them (`config`, `set`,
 * `event`, each the `arguments` of a call, in their order) and sends events in the form of Google Analytics 4's requests.
 */

(() => {
  const fixed = {};
  let target;
  const send = (name, parameters) => {
    const query = new URLSearchParams({ tid: target, en: name, dl: location.href, dr: fixed.page_referrer ?? document.referrer });
    for (const key of Object.keys(parameters)) query.set(`ep.${key}`, parameters[key]);
    fetch(`http://collector.test/g/collect?${query}`, { method: "POST", keepalive: true });
  };
  const commands = {
    js: () => {},
    set: (name, value) => Object.assign(fixed, typeof name === "object" ? name : { [name]: value }),
    config: (id) => {
      target = id;
      send("page_view", {});
    },
    // Without a target the event goes nowhere.
    event: (name, parameters) => target && send(name, parameters),
  };
  const obey = (entry) => Object.prototype.toString.call(entry) === "[object Arguments]" && commands[entry[0]](...[...entry].slice(1));
  const layer = (window.dataLayer ??= []);
  layer.forEach(obey);
  layer.push = (...entries) => {
    entries.forEach(obey);
    return Array.prototype.push.apply(layer, entries);
  };
})();
