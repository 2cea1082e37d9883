/** What the service says and is told: the messages of `colloquy.v1` that the chat reads and sends. */

export type AnswerState = "IN_PROGRESS" | "STREAMING" | "SUCCEEDED" | "FAILED";

export interface Citation {
  startIndex?: string | number;
  /** In bytes of the text in UTF-8, exclusive. */
  endIndex?: string | number;
  sources?: { referenceId?: string | number }[];
}

/** A statement of the answer, and how well its sources support it. */
export interface GroundingSupport extends Citation {
  /** From 0 to 1; absent where the statement needs no proof. */
  groundingScore?: number;
}

interface DocumentMetadata {
  document?: string;
  uri?: string;
  title?: string;
  pageIdentifier?: string;
}

interface ChunkContent {
  content?: string;
  pageIdentifier?: string;
  relevanceScore?: number;
}

export interface Reference {
  unstructuredDocumentInfo?: DocumentMetadata & { chunkContents?: ChunkContent[] };
  structuredDocumentInfo?: DocumentMetadata;
  chunkInfo?: {
    chunk?: string;
    content?: string;
    relevanceScore?: number;
    documentMetadata?: DocumentMetadata;
  };
}

export interface Step {
  state?: string;
  description?: string;
  actions?: {
    searchAction?: { query?: string };
    observation?: { searchResults?: { document?: string; title?: string }[] };
  }[];
}

export interface Answer {
  name?: string;
  state?: AnswerState;
  answerText?: string;
  citations?: Citation[];
  groundingSupports?: GroundingSupport[];
  references?: Reference[];
  steps?: Step[];
  relatedQuestions?: string[];
  answerSkippedReasons?: string[];
  groundingScore?: number;
}

export interface Status {
  code?: number;
  status?: string;
  message?: string;
  details?: { reason?: string }[];
}

export interface Session {
  name?: string;
  displayName?: string;
  isPinned?: boolean;
  startTime?: string;
  /** When the last turn began or ended. */
  endTime?: string;
  turns?: { query?: { text?: string }; answer?: string; detailedAnswer?: Answer }[];
}

/** What the operator says of the chat. */
export interface WidgetConfig {
  displayName?: string;
  starterQuestions?: string[];
  /** How to reach a person. */
  contact?: { text?: string; uri?: string };
  languageCodes?: string[];
}

export interface ElementFrame {
  type: "element";
  id: string;
  position?: string;
  reset?: boolean;
  response?: { answer?: Answer };
  error?: Status;
}

export interface AcceptedFrame {
  type: "accepted";
  id: string;
  answer: string;
  session?: string;
}

export interface ErrorFrame {
  type: "error";
  id?: string;
  error?: Status;
}

/** What the REST API answered to a request that went over the socket. */
export interface ResponseFrame {
  type: "response";
  id: string;
  status: number;
  body: unknown;
}

export type ServiceFrame =
  | ResponseFrame
  | { type: "ready"; client?: string; expiresIn?: number }
  | AcceptedFrame
  | ElementFrame
  | ErrorFrame
  | { type: "pong" }
  | { type: "goaway"; retryAfter?: number };

/** A request to answer, and what else a client may send; `id` pairs it with what comes back. */
export interface ClientFrame {
  type: string;
  id?: string;
  [field: string]: unknown;
}
