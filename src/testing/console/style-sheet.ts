/** The style sheet of the console page. */
export const STYLE_SHEET = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f6f9, #10141a); --panel: light-dark(#fff, #181e26); --text: light-dark(#182230, #e7ebf1);
  --quiet: light-dark(#566274, #9ba7b8); --line: light-dark(#dfe4eb, #2c3541); --accent: light-dark(#1d4fd7, #86a9ff);
  --on-accent: light-dark(#fff, #0d1420); --good: light-dark(#116b3c, #6bd49e); --bad: light-dark(#b3261e, #ff9388);
  --warn: light-dark(#855300, #eec068); --code: light-dark(#f4f6f9, #10141a);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header, main { max-width: 1400px; margin: 0 auto; padding: 0 20px; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 8px 16px; padding-top: 20px; padding-bottom: 16px; }
h1 { font-size: 21px; margin: 0; letter-spacing: -.01em; } h2 { font-size: 15px; margin: 0; }
h2 span { color: var(--quiet); font-weight: 400; margin-left: 4px; font-variant-numeric: tabular-nums; }
a { color: var(--accent); } code, pre { font: 12.5px/1.5 ui-monospace, monospace; }
nav { display: flex; flex-wrap: wrap; gap: 2px 18px; } header nav { flex-basis: 100%; }
nav a, summary, .skip, .actions > a { line-height: 24px; }
.pages a { padding: 0 2px; } .skip { position: absolute; left: -9999px; }
.skip:focus { left: 12px; top: 8px; background: var(--panel); padding: 6px 12px; z-index: 1; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
[role=status] { position: fixed; left: 16px; bottom: 16px; max-width: calc(100vw - 32px); margin: 0; padding: 10px 16px;
  border-radius: 8px; background: var(--panel); border: 1px solid var(--quiet); border-left: 5px solid var(--good);
  box-shadow: 0 4px 16px #0003; }
[role=status][data-failed=true] { border-left-color: var(--bad); } [role=status]:empty { padding: 0; border: 0; box-shadow: none; }
#start:empty { display: none; }
main { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px; align-items: start; padding-bottom: 40px; }
.column { display: grid; gap: 16px; min-width: 0; }
.wide { grid-column: 1 / -1; } .wide p { margin: 4px 0 10px; }
section { overflow-x: auto; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; }
.head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 8px; margin-bottom: 8px; }
.pages { display: flex; align-items: center; gap: 12px; font-size: 13px; line-height: 24px; }
.empty { color: var(--quiet); margin: 4px 0; }
.number, time { font-variant-numeric: tabular-nums; white-space: nowrap; } .quiet, time { color: var(--quiet); font-size: 13px; }
.badge { display: inline-block; white-space: nowrap; font-size: 12px; font-weight: 600; line-height: 1.6;
  padding: 0 8px; border-radius: 20px; border: 1px solid currentColor; color: var(--quiet); }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
form { display: inline-flex; flex-wrap: wrap; gap: 8px; align-items: end; }
label, fieldset { display: grid; gap: 2px; align-content: start; font-size: 13px; min-width: 0; margin: 0; padding: 0; border: 0; }
fieldset { grid-column: 1 / -1; grid-template-columns: repeat(auto-fill, minmax(230px, 1fr)); gap: 0 12px; }
small { font-size: 12px; line-height: 1.35; color: var(--quiet); } small code { font-size: 11px; }
small:empty, form p:empty { display: none; }
.check { display: inline-flex; align-items: center; gap: 6px; min-height: 30px; }
.actions { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; }
section > .actions { margin-top: 8px; padding-top: 8px; border-top: 1px solid var(--line); }
.opening > summary { display: inline-block; list-style: none; font-size: 13px; color: var(--accent); text-decoration: underline; }
.opening > summary::-webkit-details-marker { display: none; }
.actions > .opening > summary:not(li *) { padding: 2px 10px; font-size: 14px; font-weight: 600; text-decoration: none;
  border: 1px solid; border-radius: 7px; line-height: 28px; }
.opening > summary.bad { color: var(--bad); }
.opening[open] { flex-basis: 100%; }
.opening > form { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 160px), 1fr)); gap: 8px 12px;
  align-items: start; margin: 4px 0 8px; }
.opening > form :is(input:not([type=checkbox]), select, textarea) { width: 100%; }
.opening > form > :is(p, button) { grid-column: 1 / -1; justify-self: start; margin: 0; }
.sight { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
input, select, textarea, button { font: inherit; font-size: 14px; min-height: 34px; border-radius: 7px; padding: 4px 10px; }
input, select, textarea { color: var(--text); background: var(--page); border: 1px solid var(--quiet); max-width: 100%; min-width: 0; }
input[type=checkbox] { width: 18px; height: 18px; min-height: 0; margin: 0; accent-color: var(--accent); }
button { color: var(--accent); background: none; border: 1px solid var(--accent); font-weight: 600; cursor: pointer; }
button:hover { background: var(--accent); color: var(--on-accent); }
button.bad { color: var(--on-accent); background: var(--bad); border-color: var(--bad); }
li button { font-size: 13px; min-height: 28px; padding: 2px 8px; white-space: nowrap; }
ul { list-style: none; margin: 0; padding: 0; } li { border-top: 1px solid var(--line); padding: 7px 0; }
li:first-child { border-top: 0; } li:last-child { padding-bottom: 0; }
li { display: grid; grid-template-columns: minmax(0, 1fr) var(--actions, 0); gap: 4px 12px; align-items: start; }
li > .actions { justify-content: end; gap: 6px 8px; }
#endpoints li { grid-template-columns: minmax(0, 1fr); } #endpoints li > .actions { justify-content: start; padding-left: 20px; }
li > .actions:has(> [open]) { grid-column: 1 / -1; }
summary { cursor: pointer; }
li > details > summary { display: grid; grid-template-columns: 10px var(--columns); gap: 2px 10px; list-style: none;
  font-size: 14px; line-height: 20px; padding: 2px 0; overflow-wrap: anywhere; }
li > details > summary::before { content: '▸'; color: var(--quiet); } li > details[open] > summary::before { content: '▾'; }
summary strong { font-weight: 600; }
#requests { --columns: 4em minmax(0, 1fr) 4.5em; } #deliveries { --columns: 5.5em minmax(0, 1fr) 5em; --actions: 6.2em; }
#faults { --columns: 9em minmax(0, 1fr) 8em; } #endpoints { --columns: minmax(0, 1fr); }
#assignments { --columns: 3fr 4fr 3fr; --actions: 13.2em; } #results { --columns: 4fr 5fr 2fr 4fr; --actions: 5.2em; }
#participants { --columns: 3.8fr 5.6fr 4.6fr; --actions: 6em; } #exams { --columns: 5fr 3fr 3fr; }
dl { display: grid; grid-template-columns: 9em minmax(0, 1fr); gap: 4px 12px; margin: 8px 0 4px 20px; }
dt { font-size: 13px; color: var(--quiet); } dd { margin: 0; font-size: 14px; overflow-wrap: anywhere; }
pre { margin: 0; padding: 8px 10px; background: var(--code); border: 1px solid var(--line); border-radius: 7px;
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 300px; overflow-y: auto; }
@media (max-width: 1100px) { main { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 560px) {
  header, main { padding-left: 12px; padding-right: 12px; }
  li { grid-template-columns: minmax(0, 1fr); }
  li > details > summary { display: flex; flex-wrap: wrap; position: relative; padding-left: 20px; }
  li > details > summary::before { position: absolute; left: 0; }
  li > .actions { justify-content: start; margin-left: 20px; }
  dl { grid-template-columns: minmax(0, 1fr); }
  button, input, select, textarea, .check, li button { min-height: 40px; }
}
`;
