/** What the element tells the page: its events, by name, with what each brings in `detail`. */

export interface ChatEvents {
  /** The service is there and takes questions. */
  ready: Record<string, never>;
  /** A question was asked here. */
  question: { query: string };
  /** An answer ended. `refused`: the documents do not hold it. */
  answer: { query: string; name: string; text: string; state: "SUCCEEDED" | "FAILED"; refused: boolean };
  /** A source is shown. `document` is its resource name. */
  "citation-open": { title: string; document: string; uri: string };
  /** A person judged an answer. */
  feedback: { answer: string; helpful: boolean; reasons: string[]; comment: string };
  /** A person wants to reach a person. */
  handover: { query: string; contact: string };
  /** Nothing more can be asked: `code` is the close code of the WebSocket. */
  error: { code: number; message: string };
}

/** Tells one event to the page. */
export type Tell = <Name extends keyof ChatEvents>(name: Name, detail: ChatEvents[Name]) => void;
