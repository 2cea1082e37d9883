/** What is known of an answer, and how an element of its stream changes it. */

import type {
  Answer, AnswerState, Citation, ElementFrame, GroundingSupport, Reference, Status, Step,
} from "./wire";

/** `QUEUED` is a question that was not sent yet, `SENT` one that was not accepted yet. */
export type TurnState = "QUEUED" | "SENT" | AnswerState;

export interface ShownAnswer {
  readonly name: string;
  readonly state: TurnState;
  readonly position: string | undefined;
  readonly text: string;
  /** The text that was taken back: it is shown until the new one is as long. */
  readonly before: string;
  readonly citations: readonly Citation[];
  readonly supports: readonly GroundingSupport[];
  readonly references: readonly Reference[];
  readonly steps: readonly Step[];
  readonly relatedQuestions: readonly string[];
  readonly skippedReasons: readonly string[];
  readonly groundingScore: number | undefined;
  readonly error: Status | undefined;
  /** How often its text was taken back and begun anew. */
  readonly resets: number;
}

const NOTHING = {
  text: "",
  before: "",
  citations: [],
  supports: [],
  references: [],
  steps: [],
  relatedQuestions: [],
  skippedReasons: [],
  groundingScore: undefined,
  error: undefined,
};

export const QUEUED: ShownAnswer = {
  name: "",
  state: "QUEUED",
  position: undefined,
  resets: 0,
  ...NOTHING,
};

export function isRunning(state: TurnState): boolean {
  return state === "IN_PROGRESS" || state === "STREAMING";
}

export function hasEnded(state: TurnState | undefined): boolean {
  return state === "SUCCEEDED" || state === "FAILED";
}

/** Return the answer after `element`: texts and citations append, the last element tells all. */
export function fold(shown: ShownAnswer, element: Omit<ElementFrame, "type" | "id">): ShownAnswer {
  const told = element.response?.answer ?? {};
  const base = element.reset ? { ...shown, ...NOTHING, before: shown.text || shown.before, resets: shown.resets + 1 } : shown;
  const next = {
    ...base,
    name: told.name || base.name,
    state: told.state ?? base.state,
    position: element.position ?? base.position,
  };
  return hasEnded(next.state)
    ? { ...next, ...whole(told), error: element.error }
    : { ...next, ...appended(base, told) };
}

function whole(told: Answer): Partial<ShownAnswer> {
  return {
    before: "",
    text: told.answerText ?? "",
    citations: told.citations ?? [],
    supports: told.groundingSupports ?? [],
    references: told.references ?? [],
    steps: told.steps ?? [],
    relatedQuestions: told.relatedQuestions ?? [],
    skippedReasons: told.answerSkippedReasons ?? [],
    groundingScore: told.groundingScore,
  };
}

function appended(base: ShownAnswer, told: Answer): Partial<ShownAnswer> {
  return {
    text: base.text + (told.answerText ?? ""),
    citations: told.citations ? [...base.citations, ...told.citations] : base.citations,
    supports: told.groundingSupports ?? base.supports,
    references: told.references ?? base.references,
    steps: told.steps ?? base.steps,
    relatedQuestions: told.relatedQuestions ?? base.relatedQuestions,
  };
}

/** Return the `reason` of an error's ErrorInfo, such as `CANCELLED`. */
export function reasonOf(status: Status | undefined): string | undefined {
  return status?.details?.find((detail) => detail.reason)?.reason;
}
