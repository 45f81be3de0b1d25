/** How the editor looks: a constructed style sheet, which needs no permission of the page's policy. */

const SHEET = `
:host { all: initial; }
* { box-sizing: border-box; font: 14px/1.4 system-ui, sans-serif; }
.box { position: fixed; z-index: 2147483646; pointer-events: none; border: 2px solid #0b6bcb; border-radius: 2px; }
.box.hover { border: 1px dashed #0b6bcb; background: #0b6bcb14; }
.box span { position: absolute; left: -2px; bottom: 100%; background: #0b6bcb; color: #fff; padding: 1px 6px; font-size: 12px; white-space: nowrap; }
.panel { position: fixed; z-index: 2147483647; top: 12px; right: 12px; width: 340px; max-height: calc(100vh - 24px); overflow: auto;
  background: #fff; color: #1b1f24; border: 1px solid #c9d1d9; border-radius: 10px; box-shadow: 0 8px 30px #0003; }
.panel.left { right: auto; left: 12px; }
.bar { display: flex; gap: 6px; align-items: center; padding: 10px 12px; border-bottom: 1px solid #e1e6eb; position: sticky; top: 0; background: inherit; }
.bar strong { flex: 1; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
section { padding: 10px 12px; border-bottom: 1px solid #e1e6eb; }
h2 { font-weight: 600; margin: 0 0 6px; }
p { margin: 0 0 6px; }
label { display: block; margin: 0 0 8px; color: #49525c; font-size: 13px; }
input, textarea, select { display: block; width: 100%; margin-top: 2px; padding: 6px 8px; border: 1px solid #818b96; border-radius: 6px; background: #fff; color: #1b1f24; }
textarea { min-height: 64px; resize: vertical; }
code { font: 12px/1.4 ui-monospace, monospace; word-break: break-all; }
button { min-height: 30px; padding: 4px 10px; border: 1px solid #818b96; border-radius: 6px; background: #fff; color: #1b1f24; cursor: pointer; }
button:hover { background: #f1f4f7; }
button[aria-pressed=true] { background: #0b6bcb; border-color: #0b6bcb; color: #fff; }
button:disabled, input:disabled, textarea:disabled { opacity: .55; cursor: not-allowed; }
:focus-visible { outline: 2px solid #0b6bcb; outline-offset: 2px; }
.row { display: flex; flex-wrap: wrap; gap: 6px; margin: 0 0 8px; }
.row label { flex: 1; margin: 0; }
.hint { color: #5a646e; font-size: 13px; }
.warning { color: #8a4b00; font-size: 13px; }
details { margin: 0 0 8px; }
summary { cursor: pointer; padding: 4px 0; }
ol { list-style: none; margin: 0; padding: 0; }
li { display: flex; gap: 6px; align-items: start; padding: 6px 0; border-top: 1px solid #eef1f4; }
li > button:first-child { flex: 1; text-align: left; border: 0; padding: 2px; }
.hidden { display: none; }
.spoken { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 720px) { .panel, .panel.left { top: auto; bottom: 0; left: 0; right: 0; width: auto; max-height: 46vh; border-radius: 10px 10px 0 0; } }
@media (prefers-color-scheme: dark) {
  .panel, input, textarea, select, button { background: #161b22; color: #e6edf3; border-color: #57606a; }
  button:hover { background: #262d36; } .bar, section { border-color: #30363d; } li { border-color: #262d36; }
  label, .hint { color: #a9b4bf; } .warning { color: #f0b458; } button[aria-pressed=true] { background: #1f6feb; }
}`;

/** The root of all that the editor shows, apart from the page's own styles and scripts. */
export const openRoot = (): { host: HTMLElement; root: ShadowRoot } => {
  const host = document.createElement("assay-editor");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(SHEET);
  root.adoptedStyleSheets = [sheet];
  for (const type of ["keydown", "keyup", "keypress", "click", "pointerdown", "mousedown", "focusin", "input", "paste"]) {
    // What a member types here is no shortcut of the page.
    host.addEventListener(type, (event) => event.stopPropagation());
  }
  return { host, root };
};
