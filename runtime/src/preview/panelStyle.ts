/** The style of a preview's panel. Nothing of the page's reaches it: what its host inherits is set back, and no rule of the page may hide it. */

/** The style sheet. */
export const panelStyle = `
:host {
  all: initial !important;
  position: fixed !important;
  right: 16px !important;
  bottom: 16px !important;
  z-index: 2147483647 !important;
  color-scheme: light dark !important;
}
* { box-sizing: border-box; margin: 0; padding: 0; font: inherit; color: inherit }
[hidden] { display: none }
.panel {
  width: 300px;
  max-height: min(560px, calc(100vh - 32px));
  overflow: auto;
  font: 14px/1.45 system-ui, sans-serif;
  overflow-wrap: anywhere;
  color: #17211f;
  background: #fff;
  border: 1px solid #8a9693;
  border-radius: 10px;
  box-shadow: 0 4px 24px rgb(0 0 0 / 25%);
}
.panel:has(.content[hidden]) { width: auto; border-radius: 22px }
.toggle {
  position: sticky;
  top: 0;
  display: block;
  width: 100%;
  min-height: 42px;
  padding: 10px 16px;
  font-weight: 700;
  text-align: left;
  background: inherit;
  border: 0;
  border-radius: inherit;
  cursor: pointer;
}
.toggle::after { content: "\\2013"; content: "\\2013" / ""; float: right; margin-left: 12px }
.toggle[aria-expanded=false]::after { content: "+"; content: "+" / "" }
.content { padding: 0 16px 16px }
.field { padding: 12px 0; border: 0; border-top: 1px solid #d5dcda }
label, legend, h2 { display: block; font-weight: 600 }
legend { float: left; width: 100% }
legend + * { clear: both }
.check { display: flex; gap: 8px; align-items: center; min-height: 30px; font-weight: 400 }
input { width: 16px; height: 16px; accent-color: #0f6259 }
select { width: 100%; min-height: 36px; margin-top: 4px; padding: 0 8px; color: #17211f; background: #fff; border: 1px solid #76827f; border-radius: 6px }
p, ul, details:not(.field) { margin-top: 4px; font-size: 13px; color: #55625f }
p.variation { font-size: inherit; color: inherit }
ul { padding-left: 16px }
li + li { margin-top: 2px }
summary { min-height: 24px; cursor: pointer }
.other { padding-top: 8px }
.other h2 { font-size: 13px }
.content > button { width: 100%; min-height: 38px; font-weight: 600; background: none; border: 1px solid #76827f; border-radius: 6px; cursor: pointer }
.content > button:hover, .toggle:hover { text-decoration: underline }
:focus-visible { outline: 2px solid #0f6259; outline-offset: -2px }
@media (max-width: 600px) {
  .panel:not(:has(.content[hidden])) { width: calc(100vw - 32px); max-height: 50vh }
}
@media (prefers-color-scheme: dark) {
  .panel { color: #eef3f1; background: #18201f; border-color: #5e6b68 }
  .field { border-color: #34403d }
  select { color: #eef3f1; background: #18201f }
  p, ul, details:not(.field) { color: #b3c0bc }
  input { accent-color: #6fd3c1 }
  :focus-visible { outline-color: #6fd3c1 }
}
`;
