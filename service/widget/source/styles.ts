/** The looks: everything that a portal may change is a custom property or a part. */

export const styles = new CSSStyleSheet();
styles.replaceSync(`
:host {
  --_ink: var(--colloquy-ink, #17202b);
  --_soft: var(--colloquy-soft, #566272);
  --_paper: var(--colloquy-paper, #ffffff);
  --_shade: var(--colloquy-shade, #f2f5f8);
  --_line: var(--colloquy-line, #c3cdd8);
  --_accent: var(--colloquy-accent, #0b5fad);
  --_accent-ink: var(--colloquy-accent-ink, #ffffff);
  --_bad: var(--colloquy-bad, #a3261b);
  --_mark: var(--colloquy-mark, #fff3b0);
  --_radius: var(--colloquy-radius, 14px);
  --_font: var(--colloquy-font, 16px/1.5 system-ui, sans-serif);
  display: flex; flex-direction: column; min-height: 0; height: 100%;
  font: var(--_font); color: var(--_ink); background: var(--_paper); color-scheme: light dark;
}
:host([form="page"]) { height: 100dvh; }
:host(:not([form])), :host([form="inline"]) { min-height: 20rem; }
:host([form="launcher"]) { display: contents; }
.launcher { position: fixed; z-index: 2147483000; inset-block-end: max(20px, env(safe-area-inset-bottom));
  --_side: max(20px, env(safe-area-inset-left), env(safe-area-inset-right));
  inset-inline-end: var(--_side); font: var(--_font); color: var(--_ink); }
:host([position="start"]) .launcher { inset-inline: var(--_side) auto; }
.bubble { position: relative; display: grid; place-items: center; width: 60px; height: 60px;
  padding: 0; border-radius: 50%; border-color: transparent; background: var(--_accent);
  margin-inline-start: auto; box-shadow: 0 4px 16px rgb(0 0 0 / .3); }
:host([position="start"]) .bubble { margin-inline: 0 auto; }
.bubble svg { width: 28px; height: 28px; fill: var(--_accent-ink); }
.bubble[aria-expanded="true"] svg:first-child, .bubble[aria-expanded="false"] svg + svg { display: none; }
.unread { position: absolute; inset-block-start: 0; inset-inline-end: 0; width: 16px; height: 16px;
  border-radius: 50%; background: var(--_bad); border: 2px solid var(--_paper); }
.dialog { display: flex; width: min(26rem, calc(100vw - 40px)); height: min(42rem, calc(100dvh - 120px));
  margin-block-end: 12px; overflow: hidden; border: 1px solid var(--_line); border-radius: var(--_radius);
  background: var(--_paper); box-shadow: 0 8px 40px rgb(0 0 0 / .3); }
@media (max-width: 30rem) {
  .dialog { position: fixed; inset: var(--_top, 0) 0 0; width: auto; height: var(--_visible, auto); margin: 0;
    border: 0; border-radius: 0; padding: env(safe-area-inset-top) env(safe-area-inset-right) 0 env(safe-area-inset-left); }
  .dialog header { padding-inline-end: 60px; }
  .dialog:not([hidden]) + .bubble { position: fixed; width: 44px; height: 44px; box-shadow: none;
    inset-block-start: calc(8px + env(safe-area-inset-top) + var(--_top, 0px));
    inset-inline-end: calc(8px + max(env(safe-area-inset-left), env(safe-area-inset-right))); }
}
:host([form="page"]) .panel { max-height: var(--_visible, none); translate: 0 var(--_top, 0);
  padding: env(safe-area-inset-top) env(safe-area-inset-right) 0 env(safe-area-inset-left); }
.unseen { position: fixed; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:host([hidden]) { display: none; }
@media (prefers-color-scheme: dark) {
  :host {
    --_ink: var(--colloquy-ink, #e8edf3);
    --_soft: var(--colloquy-soft, #a9b5c3);
    --_paper: var(--colloquy-paper, #11161c);
    --_shade: var(--colloquy-shade, #1b232c);
    --_line: var(--colloquy-line, #465463);
    --_accent: var(--colloquy-accent, #7ab8f5);
    --_accent-ink: var(--colloquy-accent-ink, #0b1620);
    --_bad: var(--colloquy-bad, #ff9d93);
    --_mark: var(--colloquy-mark, #5a4b00);
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
button, textarea, input { font: inherit; color: inherit; }
input { min-height: 44px; padding: 8px 12px; border: 1px solid var(--_line); border-radius: 10px; background: var(--_paper); }
button { cursor: pointer; border: 1px solid var(--_line); border-radius: 10px;
  background: var(--_paper); padding: 8px 14px; min-height: 44px; min-width: 44px; }
button:disabled { opacity: .55; cursor: default; }
:is(button, textarea, input, a, summary, pre, .table):focus-visible {
  outline: 3px solid var(--_accent); outline-offset: 1px; }
a { color: var(--_accent); }
.panel { display: flex; flex-direction: column; flex: 1; min-height: 0; min-width: 0; }
header { display: flex; gap: 8px; align-items: center; padding: 8px 16px;
  border-block-end: 1px solid var(--_line); }
header :is(h1, h2) { font-size: 1.1rem; margin: 0; flex: 1; }
.connection { padding: 4px 16px; font-size: .9rem; color: var(--_soft); }
.connection:not([hidden]) { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; }
.connection button { color: var(--_ink); }
.connection[data-state="lost"], .connection[data-state="offline"],
.connection[data-state="refused"] { color: var(--_bad); }
.scroll { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 16px; }
.turns > li { content-visibility: auto; contain-intrinsic-size: auto 240px; }
.earlier { display: block; margin: 0 auto; }
.below { position: relative; align-self: center; height: 44px; margin-block: -52px 8px; z-index: 3;
  box-shadow: 0 2px 10px rgb(0 0 0 / .25); }
.text.before { color: var(--_soft); }
.turns { list-style: none; margin: 0 auto; padding: 0; max-width: 46rem; }
.query { font: inherit; margin-block: 20px 8px; margin-inline: auto 0; width: fit-content; max-width: 85%;
  padding: 8px 14px; border-radius: var(--_radius); background: var(--_accent);
  color: var(--_accent-ink); white-space: pre-wrap; overflow-wrap: anywhere; }
article { padding: 12px 14px; border-radius: var(--_radius); background: var(--_shade); }
.state { font-size: .9rem; color: var(--_soft); }
form { display: flex; gap: 8px; align-items: flex-end;
  padding: 12px 16px max(12px, env(safe-area-inset-bottom)); border-block-start: 1px solid var(--_line); }
textarea { flex: 1; min-width: 0; resize: none; min-height: 44px; max-height: 30vh;
  padding: 9px 12px; border: 1px solid var(--_line); border-radius: 10px; background: var(--_paper); }
form [type="submit"] { background: var(--_accent); color: var(--_accent-ink); border-color: transparent; }
.welcome { color: var(--_soft); max-width: 46rem; margin: 10vh auto 0; text-align: center; }
@media print {
  .launcher, form, header button, .earlier, .below { display: none; }
  :host, :host([form]), .panel { display: block; height: auto; }
  .scroll { overflow: visible; }
  .turns > li { content-visibility: visible; }
}
@media (forced-colors: active) {
  button, article, .query { border: 1px solid CanvasText; }
  .bubble svg { fill: ButtonText; }
  .unread { background: Highlight; forced-color-adjust: none; }
}
`);
