/**
 * The first script of each page of a real site: tells the site when the page is shown, also when it comes back out of the browser's
 * cache, and what goes wrong in it. It keeps what it needs, since a story's page may overwrite anything after it.
 */

(() => {
  const { fetch, console } = window;
  const report = (kind, text) => void fetch(`/report?${kind}`, { method: "POST", body: text, keepalive: true });
  const warn = console.warn.bind(console);

  addEventListener("pageshow", () => report("shown", location.href));
  addEventListener("error", (event) => report("fault", event.message));
  addEventListener("unhandledrejection", (event) => report("fault", `rejected: ${event.reason}`));
  addEventListener("securitypolicyviolation", (event) => {
    report("fault", `against ${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} ${event.sample}`);
  });
  console.warn = (...details) => {
    report("warning", details.map(String).join(" "));
    warn(...details);
  };
})();
