/**
 * Stands in for Klaro, whose package brings more than a hundred others: the manager with those of its functions that its documentation
 * has for sites. It keeps the answer in a cookie, and tells a service's own callback `false` before there is one.
 */
(() => {
  const saved = () => /(?:^|; )klaro=([^;]*)/.exec(document.cookie)?.[1];
  const watchers = [];
  const manager = {
    confirmed: saved() !== undefined,
    consents: { assay: saved() === "true" },
    getConsent: (name) => manager.consents[name],
    watch: (watcher) => watchers.push(watcher),
    changeAll(granted) {
      manager.consents.assay = granted;
      watchers.forEach((watcher) => watcher.update(manager, "consents", manager.consents));
    },
    saveAndApplyConsents() {
      document.cookie = `klaro=${manager.consents.assay}; path=/`;
      manager.confirmed = true;
      watchers.forEach((watcher) => watcher.update(manager, "saveConsents", { consents: manager.consents }));
    },
  };
  window.klaro = { getManager: () => manager };
})();
