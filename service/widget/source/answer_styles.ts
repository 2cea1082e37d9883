/** The looks of answers, of their sources, and of what can be done with them. */

export const answerStyles = new CSSStyleSheet();
answerStyles.replaceSync(`
.text { overflow-wrap: anywhere; }
.text > * { margin-block: 8px; }
.text h4 { font-size: 1rem; }
.text :is(ul, ol) { padding-inline-start: 1.6em; }
.text blockquote { margin-inline: 0; padding-inline-start: 12px; border-inline-start: 3px solid var(--_line); }
.text code { font-family: ui-monospace, monospace; font-size: .92em; }
.text pre { margin: 0; padding: 12px; overflow-x: auto; }
.text .code { display: flex; flex-wrap: wrap; justify-content: end; background: var(--_paper);
  border: 1px solid var(--_line); border-radius: 8px; }
.text .code pre { flex: 1 1 100%; min-width: 0; order: 1; padding-block-start: 0; }
.text .code .copy { border: 0; background: none; font-size: .85rem; color: var(--_accent); }
.text .code .cites { order: 2; padding: 0 8px 8px; }
.text .table { overflow-x: auto; }
.text table { border-collapse: collapse; }
.text :is(th, td) { border: 1px solid var(--_line); padding: 4px 8px; text-align: start;
  vertical-align: top; overflow-wrap: normal; }
.host { color: var(--_soft); font-size: .9em; }
.cites { white-space: nowrap; }
.cite { position: relative; min-height: 20px; min-width: 20px; padding: 0 5px; margin-inline-start: 3px;
  border-radius: 6px; font-size: .72rem; line-height: 1.5; vertical-align: super; color: var(--_accent); }
.cite::after { content: ""; position: absolute; inset: -12px -3px; }
:is(.cite, .icon, .title, .chips button):hover { background: var(--_shade); }
.sources { margin: 10px 0 0; padding-block: 4px 0; padding-inline-start: 1.8em;
  border-block-start: 1px solid var(--_line); font-size: .92rem; }
.sources button { border: 0; padding: 2px 6px; background: none; color: var(--_accent); text-align: start;
  text-decoration: underline; }
.nearest { border: 0; margin: 0; list-style: disc; }
[data-refused] .state { font-size: 1rem; color: var(--_ink); }
[data-refused] p { margin-block: 10px 0; color: var(--_soft); }
.help { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-block-start: 8px; }
.contact { display: inline-flex; align-items: center; min-height: 44px; }
.icon { display: inline-flex; align-items: center; justify-content: center; gap: 4px; padding: 8px;
  border-color: transparent; background: none; color: var(--_soft); font-size: .85rem; }
.icon svg { width: 20px; height: 20px; fill: currentColor; flex: none; }
.icon[aria-pressed="true"] { color: var(--_accent); }
.asked { display: flex; justify-content: flex-end; align-items: center; gap: 2px; margin-block: 20px 8px; }
.asked .query { margin: 0; }
.asked .icon { opacity: 0; }
.asked:is(:hover, :focus-within) .icon { opacity: 1; }
@media (hover: none) { .asked .icon { opacity: 1; } }
.tools { margin-block: 6px -8px; margin-inline: -8px; }
.tools .buttons { display: flex; flex-wrap: wrap; }
.feedback { padding-inline: 8px; font-size: .92rem; }
.feedback p { margin-block: 6px; }
.feedback p:empty { display: none; }
.feedback [role="group"] { display: grid; gap: 8px; padding-block-end: 10px; justify-items: start; }
.feedback textarea { width: 100%; }
.chips { display: flex; flex-wrap: wrap; gap: 8px; }
.chips [aria-pressed="true"] { border-color: var(--_accent); box-shadow: inset 0 0 0 1px var(--_accent); }
.related { display: flex; flex-wrap: wrap; gap: 8px; margin-block-start: 14px; }
.related button { font-size: .92rem; text-align: start; }
.welcome .related { justify-content: center; margin-block-start: 20px; }
.popover { position: fixed; z-index: 5; max-width: min(26rem, calc(100vw - 24px));
  max-height: 45vh; overflow: auto; padding: 10px 12px; border: 1px solid var(--_line);
  border-radius: 10px; background: var(--_paper); box-shadow: 0 6px 24px rgb(0 0 0 / .25);
  font-size: .92rem; }
.popover p { margin-block: 6px 0; }
.passage { white-space: pre-wrap; overflow-wrap: anywhere; }
.support { color: var(--_soft); font-size: .9rem; }
mark { background: var(--_mark); color: inherit; border-radius: 2px; }
.panel { position: relative; container-type: inline-size; }
aside.source { position: absolute; inset: 0; z-index: 4; display: flex; flex-direction: column;
  background: var(--_paper); }
.source-head { display: flex; align-items: center; gap: 8px; padding-block: 8px;
  padding-inline: 16px 8px; border-block-end: 1px solid var(--_line); }
.source-head h3 { flex: 1; margin: 0; font-size: 1rem; overflow-wrap: anywhere; outline-offset: 4px; }
.source-body { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 4px 16px 16px; }
.source-body .trail { color: var(--_soft); font-size: .9rem; }
.source-body .passage { margin: 12px 0; padding: 12px 14px; border-inline-start: 3px solid var(--_accent);
  background: var(--_shade); border-radius: 8px; }
.source-body a { display: inline-flex; align-items: center; min-height: 44px; }
[type="search"] { width: 100%; margin-block: 12px 0; }
.sessions { list-style: none; margin: 8px 0; padding: 0; }
.sessions li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 8px; padding-block: 8px 2px;
  border-block-end: 1px solid var(--_line); }
.sessions :is(.title, input) { flex: 1 1 60%; min-width: 0; text-align: start; overflow-wrap: anywhere; }
.sessions .title { border-color: transparent; background: none; padding-inline: 8px; }
.sessions :is([aria-current], [data-pinned] .title) { font-weight: 600; }
.sessions .buttons { flex: 1 1 100%; }
@container (min-width: 832px) {
  aside.source { inset-inline-start: auto; width: 24rem; border-inline-start: 1px solid var(--_line); }
  .panel[data-source] > :is(header, .connection, .scroll, .below, form) { margin-inline-end: 24rem; }
}
@media print { .tools, .related, aside.source, .asked .icon { display: none; } }
@media (forced-colors: active) {
  mark { forced-color-adjust: none; }
  [aria-pressed="true"] { outline: 2px solid Highlight; }
}
`);
