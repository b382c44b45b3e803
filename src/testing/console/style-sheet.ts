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
h1 { font-size: 21px; margin: 0; letter-spacing: -.01em; }
h2 { font-size: 15px; margin: 0; }
h2 span { color: var(--quiet); font-weight: 400; margin-left: 4px; font-variant-numeric: tabular-nums; }
a { color: var(--accent); }
code, pre { font: 12.5px/1.5 ui-monospace, monospace; }
nav { display: flex; flex-wrap: wrap; gap: 2px 18px; }
header nav { flex-basis: 100%; }
#anew-part { margin-left: auto; text-align: right; font-size: 13px; }
#anew-part form { margin-top: 4px; }
nav a, summary, .skip, .opening a { line-height: 24px; }
.opening a { display: inline-block; }
.pages a { padding: 0 2px; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 12px; top: 8px; background: var(--panel); padding: 6px 12px; z-index: 1; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
[role=status] { position: fixed; left: 16px; bottom: 16px; max-width: calc(100vw - 32px); margin: 0; padding: 10px 16px;
  border-radius: 8px; background: var(--panel); border: 1px solid var(--quiet); border-left: 5px solid var(--good);
  box-shadow: 0 4px 16px #0003; }
[role=status][data-failed=true] { border-left-color: var(--bad); }
[role=status]:empty { padding: 0; border: 0; box-shadow: none; }
#start:empty { display: none; }
main { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px; align-items: start; padding-bottom: 40px; }
.column { display: grid; gap: 16px; min-width: 0; }
.wide { grid-column: 1 / -1; }
.wide p { margin: 4px 0 10px; }
section { overflow-x: auto; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 14px 16px; }
.head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 8px; margin-bottom: 8px; }
.pages { display: flex; align-items: center; gap: 12px; font-size: 13px; line-height: 24px; }
.empty { color: var(--quiet); margin: 4px 0; }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-size: 12px; font-weight: 600; color: var(--quiet); padding: 4px 10px 4px 0; }
td { padding: 7px 10px 7px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
th:last-child, td:last-child { padding-right: 0; }
.number, time { font-variant-numeric: tabular-nums; white-space: nowrap; }
.quiet, time { color: var(--quiet); font-size: 13px; }
#assignments td:first-child { min-width: 9em; }
.email { font-size: 13.5px; }
.step { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; justify-content: space-between; }
.step form { flex-wrap: nowrap; margin-left: auto; }
.badge { display: inline-block; white-space: nowrap; font-size: 12px; font-weight: 600; line-height: 1.6;
  padding: 0 8px; border-radius: 20px; border: 1px solid currentColor; color: var(--quiet); }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
form { display: inline-flex; flex-wrap: wrap; gap: 8px; align-items: end; }
form .quiet { flex-basis: 100%; margin: 0; }
label { display: grid; gap: 2px; font-size: 12px; color: var(--quiet); min-width: 0; }
.check { display: inline-flex; align-items: center; gap: 6px; font-size: 14px; color: var(--text); min-height: 34px; }
fieldset { flex-basis: 100%; display: flex; flex-wrap: wrap; gap: 0 16px; margin: 0; padding: 0; border: 0; min-width: 0; }
legend { font-size: 12px; color: var(--quiet); padding: 0; }
.actions { display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: end; }
.opening > summary { display: inline-block; list-style: none; font-size: 14px; color: var(--accent); text-decoration: underline; }
.opening > summary::-webkit-details-marker { display: none; }
.actions .opening > summary { padding: 4px 10px; border: 1px solid var(--accent); border-radius: 7px; font-weight: 600; text-decoration: none; }
.opening[open] { flex-basis: 100%; }
.opening > form { margin: 4px 0 2px; }
.opening > p { margin: 0; }
section > .opening { margin-top: 8px; padding-top: 6px; border-top: 1px solid var(--line); }
#change-settings form { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); }
#change-settings :is(input, select) { width: 100%; }
#change-settings .quiet { grid-column: 1 / -1; }
.sight { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
input, select, button { font: inherit; font-size: 14px; min-height: 34px; border-radius: 7px; padding: 4px 10px; }
input, select { color: var(--text); background: var(--page); border: 1px solid var(--quiet); max-width: 100%; min-width: 0; }
input[type=number] { width: 84px; }
input[type=checkbox] { width: 18px; height: 18px; min-height: 0; margin: 0; accent-color: var(--accent); }
button { color: var(--accent); background: none; border: 1px solid var(--accent); font-weight: 600; cursor: pointer; }
button:hover { background: var(--accent); color: var(--on-accent); }
ul { list-style: none; margin: 0; padding: 0; }
li { border-top: 1px solid var(--line); padding: 10px 0; }
li:first-child { border-top: 0; padding-top: 2px; } li:last-child { padding-bottom: 0; }
.row { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; justify-content: space-between; }
.row > :first-child { flex: 1 1 240px; min-width: 0; overflow-wrap: anywhere; }
summary { cursor: pointer; padding: 2px 0; }
summary > * { margin-left: 6px; }
summary strong { font-weight: 600; }
summary code { overflow-wrap: anywhere; }
li .actions { margin-top: 8px; }
#faults { margin-top: 12px; padding-top: 4px; border-top: 1px solid var(--line); }
#faults form { margin-top: 8px; }
dl { margin: 8px 0 0; }
dt { font-size: 12px; font-weight: 600; color: var(--quiet); margin-top: 8px; }
dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: 2px 0 0; padding: 10px 12px; background: var(--code); border: 1px solid var(--line); border-radius: 7px;
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 300px; overflow-y: auto; }
@media (max-width: 1100px) { main { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 560px) {
  header, main { padding-left: 12px; padding-right: 12px; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: flex; flex-wrap: wrap; gap: 2px 12px; align-items: center; border-top: 1px solid var(--line); padding: 9px 0; }
  td { border: 0; padding: 0; }
  td:first-child { flex-basis: 100%; }
  td:has(.step) { flex: 1 0 100%; }
  button, input, select, .check { min-height: 40px; }
  .actions .opening > summary { padding: 7px 10px; }
  input[type=number] { width: 80px; }
  summary strong { font-size: 14px; }
}
`;
