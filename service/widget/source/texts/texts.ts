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
  /** What is searched, where the portal has no name: it fills `{place}`. */
  place: string;
  /** `{place}` is filled in. */
  searching: string;
  /** `{count}` is filled in. */
  reading: string;
  writing: string;
  rewriting: string;
  answered: string;
  /** `{place}` is filled in. */
  noAnswer: string;
  refusedSmallTalk: string;
  refusedHarmful: string;
  refusedJailbreak: string;
  refusedPolicy: string;
  /** What helps where there is no answer. */
  nearest: string;
  contact: string;
  contactLink: string;
  stopped: string;
  failed: string;
  failedBusy: string;
  sources: string;
  /** `{number}` and `{title}` are filled in. */
  source: string;
  untitled: string;
  /** `{page}` is filled in. */
  page: string;
  closeSource: string;
  openPage: string;
  /** The page could not be opened. */
  notOpened: string;
  supportVerbatim: string;
  supportStrong: string;
  supportPartial: string;
  supportWeak: string;
  related: string;
  starters: string;
  copy: string;
  copied: string;
  notCopied: string;
  copyAnswer: string;
  copyLink: string;
  askAgain: string;
  editQuestion: string;
  helpful: string;
  notHelpful: string;
  whatIsWrong: string;
  reasonInaccurate: string;
  reasonNotRelevant: string;
  reasonIncomplete: string;
  reasonBadSource: string;
  reasonHarmful: string;
  reasonFormat: string;
  comment: string;
  sendFeedback: string;
  thanks: string;
  notSent: string;
  close: string;
  open: string;
  openUnread: string;
  connecting: string;
  ready: string;
  lost: string;
  offline: string;
  /** `{code}` is filled in. */
  refused: string;
  sending: string;
  /** A question that is answered after another one. */
  waiting: string;
  takeBack: string;
  refusedSignIn: string;
  /** `{origin}` is filled in. */
  refusedOrigin: string;
  tryAgain: string;
  /** The answer goes on out of sight. */
  newBelow: string;
  /** Of the button that writes down what is said. */
  dictate: string;
  notHeard: string;
  earlier: string;
  sessions: string;
  noSessions: string;
  searchSessions: string;
  more: string;
  rename: string;
  pin: string;
  unpin: string;
  export: string;
  delete: string;
  /** What the button says that was pressed once. */
  deleteReally: string;
}

/** Fill `{name}` in a text. */
export function filled(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
