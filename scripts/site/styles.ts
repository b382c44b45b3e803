/** What the switch of colours sets; the console beside the snippets follows it. */
export const THEMES = `
[data-theme=light] { color-scheme: light; }
[data-theme=dark] { color-scheme: dark; }
`;

/** The style sheet of the site. */
export const STYLE_SHEET = `
:root {
  color-scheme: light dark;
  --page: light-dark(#fff, #12161c); --soft: light-dark(#f5f7fa, #1a2029); --text: light-dark(#1b2430, #e3e8ef);
  --quiet: light-dark(#566274, #9ba7b8); --line: light-dark(#dde3ea, #2c3541); --mark: light-dark(#fff0b8, #5c4a10);
  --accent: light-dark(#1d4fd7, #8fb0ff); --on-accent: light-dark(#fff, #0d1420); --good: light-dark(#116b3c, #6bd49e);
  --bad: light-dark(#b3261e, #ff9388); --comment: light-dark(#5d6878, #93a0b2); --string: light-dark(#116b3c, #86d6a4);
  --keyword: light-dark(#8a2f9d, #d9a0e8); --number: light-dark(#9a4a00, #f0b070); --function: light-dark(#1d4fd7, #8fb0ff);
  --width: 1280px; --side: 220px; --edge: max(24px, calc((100vw - var(--width)) / 2 + 24px));
}
:root:has(aside) { --width: 1520px; }
${THEMES}
* { box-sizing: border-box; }
html { scroll-padding-top: 72px; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
.skip { position: absolute; left: -999px; z-index: 3; padding: 8px 12px; background: var(--page); }
.skip:focus { left: 8px; top: 8px; }

header {
  position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: 12px 20px; height: 56px; padding: 0 var(--edge);
  background: var(--page); border-bottom: 1px solid var(--line);
}
.name small { color: var(--quiet); font-weight: 400; }
.name { color: inherit; font-weight: 650; text-decoration: none; letter-spacing: -.01em; }
.menu { display: none; }
.source { font-size: 14px; }
button.theme { width: 34px; min-height: 34px; padding: 0; }
.theme::before { content: "☾"; }
.theme[aria-pressed=true]::before { content: "☀"; }
form { position: relative; margin-left: auto; width: min(360px, 100%); }
input {
  width: 100%; height: 34px; padding: 0 12px; color: inherit; background: var(--soft); font: inherit; font-size: 14px;
  border: 1px solid var(--line); border-radius: 8px;
}
input::placeholder { color: var(--quiet); opacity: 1; }
#found { position: absolute; right: 34px; top: 6px; color: var(--quiet); font-size: 13px; pointer-events: none; }
#results {
  position: absolute; right: 0; top: 42px; width: min(520px, calc(100vw - 32px)); max-height: 70vh; overflow-y: auto; margin: 0; padding: 6px;
  list-style: none; background: var(--page); border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 12px 32px #0003;
}
#results a { display: block; padding: 8px 12px; border-radius: 6px; color: inherit; text-decoration: none; font-size: 14px; line-height: 1.45; }
#results a:hover, #results a:focus { background: var(--soft); }
#results strong { display: block; font-weight: 600; }
#results span { color: var(--quiet); }
mark { background: var(--mark); color: var(--text); border-radius: 2px; }

.columns { display: grid; grid-template-columns: 236px minmax(0, 1fr) 220px; max-width: var(--width); margin: 0 auto; }
.columns:has(aside) { grid-template-columns: 236px minmax(0, 1fr) 380px; }
#contents, .side { position: sticky; top: 56px; height: calc(100vh - 56px); overflow-y: auto; font-size: 14px; line-height: 1.4; }
#contents { display: block; width: auto; margin: 0; padding: 22px 12px 40px 24px; color: inherit; background: none; border: 0; }
.side { padding: 28px 24px 24px 0; }
.outline ul { margin: 0 0 20px; padding: 0; list-style: none; border-left: 1px solid var(--line); }
.outline a { display: block; padding: 3px 0 3px 14px; color: var(--quiet); text-decoration: none; }
.outline a:hover, .outline a[aria-current] { color: var(--accent); }
.outline a[aria-current] { margin-left: -1px; border-left: 1px solid; }
.outline:has(~ aside [open]) { display: none; }
#contents h2 { margin: 22px 0 6px; color: var(--quiet); font-size: 12.5px; font-weight: 600; letter-spacing: .02em; }
#contents h2:first-child { margin-top: 0; }
#contents ul { margin: 0; padding: 0; list-style: none; }
#contents a { display: block; padding: 4px 10px; border-radius: 6px; color: inherit; text-decoration: none; }
#contents a:hover { background: var(--soft); }
#contents a[aria-current] { background: var(--soft); color: var(--accent); font-weight: 600; }
#contents ul ul { display: none; margin: 4px 0 8px 10px; border-left: 1px solid var(--line); }
#contents ul ul a { color: var(--quiet); padding-block: 3px; }

main { min-width: 0; padding: 28px 32px 96px; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; letter-spacing: -.01em; }
h1 { margin: 0 0 20px; font-size: 30px; }
main h2 { margin: 44px 0 12px; font-size: 22px; }
h3 { margin: 32px 0 10px; font-size: 18px; }
h4, h5, h6 { margin: 22px 0 6px; font-size: 15px; }
main p, main ul, main ol { max-width: 41em; margin: 0 0 14px; }
main .task { list-style: "☐  "; }
main .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 12px; max-width: none; margin: 20px 0 24px; padding: 0; list-style: none; }
.cards a { display: block; height: 100%; padding: 14px 16px; color: inherit; border: 1px solid var(--line); border-radius: 10px; font-size: 14px; line-height: 1.5; text-decoration: none; }
.cards a:hover { border-color: var(--accent); }
.cards strong { display: block; color: var(--accent); font-size: 16px; }
.anchor { margin-left: .35em; color: var(--quiet); font-weight: 400; text-decoration: none; opacity: 0; }
.anchor::after { content: "#"; }
:is(h2, h3, h4, h5, h6, tr):hover .anchor, .anchor:focus { opacity: 1; }
.turn { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 8px 16px; margin-top: 56px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 14px; }
.turn a { padding: 4px 0; color: var(--accent); }
.turn small { color: var(--quiet); }
.block { position: relative; }
.copy { position: absolute; top: 6px; right: 6px; min-height: 26px; padding: 0 10px; background: var(--page); font-size: 12.5px; opacity: 0; }
.block:hover .copy, .copy:focus-visible { opacity: 1; }
@media (hover: none) { .copy { opacity: 1; } .block > pre { padding-top: 40px; } }
main li { margin-bottom: 4px; }
hr { margin: 32px 0; border: 0; border-top: 1px solid var(--line); }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 8px; }
code, pre, textarea { font: 13px/1.55 ui-monospace, SFMono-Regular, Menlo, monospace; tab-size: 2; }
:not(pre) > code { padding: 1px 5px; background: var(--soft); border-radius: 4px; }
a > code { color: inherit; }
pre { margin: 0 0 16px; padding: 14px 16px; overflow-x: auto; background: var(--soft); border-radius: 8px; overflow-wrap: normal; }
.table { overflow-x: auto; margin-bottom: 18px; }
table { border-collapse: collapse; overflow-wrap: normal; }
table, table code { font-size: 13.5px; line-height: 1.5; }
th, td { padding: 7px 16px 7px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--quiet); font-weight: 600; }
.right { text-align: right; } .center { text-align: center; }

.hljs-comment { color: var(--comment); } .hljs-string { color: var(--string); }
.hljs-keyword, .hljs-built_in, .hljs-type { color: var(--keyword); } .hljs-number, .hljs-literal { color: var(--number); }
.hljs-title, .hljs-attr { color: var(--function); }

.snippet { margin: 0 0 22px; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.snippet pre { margin: 0; border-radius: 0; }
.snippet :focus-visible { outline-offset: -2px; }
textarea.code { display: block; width: 100%; padding: 14px 16px; color: inherit; background: var(--page); border: 0; resize: vertical; white-space: pre; overflow-x: auto; }
[hidden] { display: none !important; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; padding: 8px 12px; border-top: 1px solid var(--line); }
button {
  min-height: 30px; padding: 0 14px; color: inherit; background: none; border: 1px solid var(--line); border-radius: 7px;
  font: inherit; font-size: 13.5px; cursor: pointer;
}
button:hover { border-color: var(--accent); }
.bar i { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
button.run { color: var(--on-accent); background: var(--accent); border-color: var(--accent); font-weight: 600; }
main .note { margin-top: -10px; color: var(--quiet); font-size: 14px; }
.status { margin-left: 4px; color: var(--quiet); font-size: 13.5px; }
[data-outcome=kept] .status { color: var(--good); }
[data-outcome=differs] .status, [data-outcome=failed] .status { color: var(--bad); }
.outputs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(260px, 100%), 1fr)); }
figure { margin: 0; min-width: 0; border-top: 1px solid var(--line); }
figure + figure { border-left: 1px solid var(--line); margin-left: -1px; }
figcaption { padding: 8px 16px 0; color: var(--quiet); font-size: 12.5px; }
figure pre { padding-top: 4px; background: none; max-height: 320px; overflow: auto; }
figure em { white-space: pre-wrap; color: var(--bad); font-style: normal; }

aside p { margin: 0; padding: 4px 14px 12px; color: var(--quiet); font-size: 13.5px; }
#console.used p { display: none; }
#console { border: 1px solid var(--line); border-radius: 10px; overflow: hidden; background: var(--page); }
summary { padding: 8px 14px; font-size: 13.5px; font-weight: 600; cursor: pointer; }
iframe { display: block; width: 100%; height: calc(100vh - 150px); border: 0; border-top: 1px solid var(--line); }

@media (max-width: 1439px) {
  :root { --width: 1280px !important; }
  .columns, .columns:has(aside) { grid-template-columns: 236px minmax(0, 1fr) 220px; }
  aside:not(:has(.used)) { display: none; }
  aside { position: fixed; z-index: 1; inset: auto 12px 12px auto; height: auto; max-width: calc(100vw - 24px); padding: 0; }
  aside:has([open]) { width: 520px; }
  #console { box-shadow: 0 8px 28px #0004; }
  iframe { height: 56vh; }
}
@media (max-width: 1239px) {
  .columns, .columns:has(aside) { grid-template-columns: 236px minmax(0, 1fr); }
  .side { display: contents; }
  .outline { display: none; }
  #contents ul ul { display: block; }
}
@media (max-width: 760px) {
  html { scroll-padding-top: 12px; }
  header { position: relative; flex-wrap: wrap; height: auto; padding: 10px 16px; }
  .theme { order: 1; margin-left: auto; }
  form { order: 2; width: 100%; }
  .menu {
    position: fixed; z-index: 1; right: 12px; bottom: 12px; display: block; min-height: 44px; padding: 0 20px; background: var(--page);
    border-radius: 22px; box-shadow: 0 4px 16px #0004; font-size: 15px; font-weight: 600;
  }
  input { height: 40px; font-size: 16px; }
  #found { top: 8px; }
  #results { top: 46px; width: 100%; }
  aside { inset: auto auto 12px 12px; }
  .columns, .columns:has(aside) { display: block; }
  #contents { display: none; }
  #contents:popover-open {
    position: fixed; inset: auto 0 0; display: block; max-height: 80vh; height: auto; padding: 24px 16px; background: var(--page);
    border-radius: 16px 16px 0 0; box-shadow: 0 -8px 32px #0005; font-size: 16px;
  }
  #contents::backdrop { background: #0006; }
  #contents a { padding-block: 8px; }
  .turn { font-size: 15px; }
  main { padding: 20px 16px 96px; }
  h1 { font-size: 26px; }
  button { min-height: 40px; }
  figure + figure { border-left: 0; margin-left: 0; }
}
@media (max-width: 639px) {
  thead { display: none; }
  table, tbody, tr, td { display: block; overflow-wrap: anywhere; }
  tr { padding: 10px 0; border-bottom: 1px solid var(--line); }
  td { padding: 1px 0; border: 0; text-align: left; }
  td:first-child, td:first-child code { font-weight: 600; }
  td[data-label]:not(:first-child, :nth-child(2):last-child)::before { content: attr(data-label) ": "; color: var(--quiet); }
}
@media print {
  header, nav, aside, .bar { display: none; }
}
`;
