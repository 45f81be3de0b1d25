/**
 * The floor: what deciding costs at least, written by hand for one project. It does the same work as a compiled snippet, remembers the
 * same, and promises the same where both cost time:
 * - one look at the cookies, one at local storage, and for a new visitor one cookie, before all is decided;
 * - the visitor of another tab, if that was quicker, a cookie that is renewed once a day, and on the shortest domain that takes it;
 * - everything kept once the document is there, or left, with what other tabs have stored meanwhile;
 * - variations that stay once they are given;
 * - all functions compiled ahead, by the comment that scripts.mjs puts at the top.
 * What it decided is read as the state module shows it. It has no other API, no features, and no care for anything that could go wrong. scripts.mjs fills in the experiments: one flat list of ids and
 * names, seven for each experiment.
 */
(() => {
  const EXPERIMENTS = __EXPERIMENTS__;
  /** Campaign, experiment, its name, and two variations with theirs. */
  const FIELDS = 7;
  const KEY = "experimentation:1000";
  const DAY_MS = 86_400_000;

  const bucketOf = (text) => {
    let hash = 1;
    let block = 0;
    for (let at = 0; at < text.length; at++) {
      block |= text.charCodeAt(at) << (at << 3);
      if ((at & 3) === 3) {
        block = Math.imul(block, 0xcc9e2d51);
        hash ^= Math.imul((block << 15) | (block >>> 17), 0x1b873593);
        hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
        block = 0;
      }
    }
    block = Math.imul(block, 0xcc9e2d51);
    hash ^= Math.imul((block << 15) | (block >>> 17), 0x1b873593) ^ text.length;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return Math.floor((((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32) * 10000);
  };

  /** What is stored: the visitor, the day of the cookie, and by experiment the variation and its place. */
  const stored = JSON.parse(localStorage.getItem(KEY) || '{"seen":{}}');
  const cookie = /(?:^|; )experimentation_id=([^;]*)/.exec(document.cookie);
  const today = Math.floor(Date.now() / DAY_MS);
  const id = cookie ? decodeURIComponent(cookie[1]) : stored.id || crypto.getRandomValues(new Uint32Array(3)).join("");
  const isNew = stored.id !== id || stored.day !== today;
  let isChanged = isNew;
  stored.id = id;
  stored.day = today;
  const write = (domain) => {
    document.cookie = `experimentation_id=${encodeURIComponent(id)}; path=/; SameSite=Lax; max-age=34560000${domain && `; domain=${domain}`}`;
  };
  const labels = location.hostname.split(".");
  if (!cookie) {
    write(stored.domain || labels.slice(-2).join("."));
  }

  const decideAll = () => {
    const isOnPage = /^https?:\/\/(www\.)?shop\.example\/*([?#].*)?$/i.test(location.href);
    const decisions = new Map();
    for (let at = 0; isOnPage && at < EXPERIMENTS.length; at += FIELDS) {
      const experiment = EXPERIMENTS[at + 1];
      let seen = stored.seen[experiment];
      if (!seen) {
        const place = bucketOf(id + experiment) < 5000 ? 0 : 1;
        seen = [EXPERIMENTS[at + 3 + place * 2], place];
        stored.seen[experiment] = seen;
        isChanged = true;
      }
      const name = EXPERIMENTS[at + 2];
      const variationName = EXPERIMENTS[at + 4 + seen[1] * 2];
      decisions.set(experiment, { campaign: EXPERIMENTS[at], experiment, name, variation: seen[0], variationName, index: seen[1] });
    }
    return decisions;
  };

  /** What the state module tells of them, each time in objects that are the caller's own. */
  const experimentStates = () => {
    const states = {};
    for (const { experiment, name, variation, variationName } of window.floor.decisions.values()) {
      const id = String(experiment);
      states[id] = {
        variation: { id: String(variation), name: variationName },
        isActive: true,
        visitorRedirected: false,
        audiences: [],
        id,
        experimentName: name,
        isInExperimentHoldback: false,
      };
    }
    return states;
  };
  const variationMap = () => {
    const map = {};
    for (const { experiment, variation, variationName, index } of window.floor.decisions.values()) {
      map[experiment] = { id: String(variation), name: variationName, index };
    }
    return map;
  };

  window.floor = { decisions: decideAll(), again: () => (window.floor.decisions = decideAll()), experimentStates, variationMap };

  const idNow = () => /(?:^|; )experimentation_id=([^;]*)/.exec(document.cookie)?.[1];
  /** Once the document is there, or left: the cookie and the entry. */
  const keep = () => {
    if (isNew) {
      for (let at = 2; !idNow() && at <= labels.length + 1; at++) {
        write(labels.slice(-at).join("."));
      }
      if (cookie) {
        write(stored.domain || labels.slice(-2).join("."));
      }
      stored.id = decodeURIComponent(idNow() || id);
    }
    if (isChanged) {
      isChanged = false;
      const others = JSON.parse(localStorage.getItem(KEY) || "{}");
      if (others.id === stored.id) {
        stored.seen = { ...stored.seen, ...others.seen };
      }
      localStorage.setItem(KEY, JSON.stringify(stored));
    }
  };
  ["DOMContentLoaded", "pagehide"].forEach((type) => addEventListener(type, keep));
})();
