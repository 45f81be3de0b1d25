/**
 * Stands in for Matomo's tracker, which is on no registry: it takes calls from `_paq` as Matomo documents them, in their order but for
 * its address and site, which come first, and sends what the tracking API takes.
 */

(() => {
  const settings = { urlref: document.referrer };
  const send = (fields) => {
    const query = new URLSearchParams({ idsite: settings.site, rec: 1, url: location.href, urlref: settings.urlref, ...fields });
    fetch(`${settings.tracker}?${query}`, { keepalive: true });
  };
  const methods = {
    setTrackerUrl: (url) => (settings.tracker = url),
    setSiteId: (id) => (settings.site = id),
    setReferrerUrl: (url) => (settings.urlref = url),
    trackPageView: () => send({ action_name: document.title }),
    trackEvent: (category, action, name) => send({ e_c: category, e_a: action, e_n: name }),
  };
  const call = ([name, ...parameters]) => methods[name](...parameters);
  const isFirst = ([name]) => ["setTrackerUrl", "setSiteId"].includes(name);
  const queue = window._paq ?? [];
  queue.filter(isFirst).forEach(call);
  queue.filter((each) => !isFirst(each)).forEach(call);
  window._paq = { push: (...calls) => calls.forEach(call) };
})();
