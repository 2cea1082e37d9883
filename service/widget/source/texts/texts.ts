/** The words of the chat: one record of texts, which each language fills. */

export interface Texts {
  title: string;
  placeholder: string;
  question: string;
  ask: string;
  stop: string;
  newSession: string;
  welcome: string;
  answers: string;
  answer: string;
  queued: string;
  searching: string;
  writing: string;
  rewriting: string;
  answered: string;
  noAnswer: string;
  stopped: string;
  failed: string;
  sources: string;
  /** `{number}` and `{title}` are filled in. */
  source: string;
  untitled: string;
  /** `{page}` is filled in. */
  page: string;
  related: string;
  copy: string;
  close: string;
  open: string;
  openUnread: string;
  connecting: string;
  ready: string;
  lost: string;
  offline: string;
  /** `{code}` is filled in. */
  refused: string;
}

/** Fill `{name}` in a text. */
export function filled(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
