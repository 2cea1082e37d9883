/** The turns of a session from its end on, some at a time: a long session comes as it is read. */

import { fold, hasEnded, QUEUED, type ShownAnswer } from "../answer_state";
import type { Connection } from "../connection/connection";
import type { Session } from "../wire";

/** Turns that are read at once. */
export const WINDOW = 20;

export interface PastTurn {
  readonly query: string;
  readonly answer: ShownAnswer;
}

/** What was read; `count` is how many turns that were, and some of them only searched. */
export interface Window {
  readonly turns: PastTurn[];
  readonly count: number;
}

/** `gone`: the session is not there for who asks. `away`: nobody knows, try again. */
export type Read = Window | "gone" | "away";

/** Read the turns of `session` before its last `known` ones, oldest first; fewer where it begins. */
export async function readTurns(
  connection: Pick<Connection, "request">,
  session: string,
  known: number,
  count = WINDOW,
): Promise<Read> {
  const window = `turnOffset=${-known - count}&turnLimit=${count}`;
  const reply = await connection
    .request("GET", `/v1/${session}?includeAnswerDetails=true&${window}`)
    .catch(() => undefined);
  if (reply?.status === 403 || reply?.status === 404) return "gone";
  if (reply?.status !== 200) return "away";
  const { turns = [] } = reply.body as Session;
  const answered = turns.filter(({ answer }) => answer).map(({ query, answer = "", detailedAnswer: told }) => {
    const state = told?.state ?? "FAILED";
    const known = { ...QUEUED, name: answer, state };
    // What is still written is followed from its beginning.
    const shown = told && hasEnded(state) ? fold(known, { response: { answer: told } }) : known;
    return { query: query?.text ?? "", answer: shown };
  });
  return { turns: answered, count: turns.length };
}

/** Read the last turns, so many that one of the `known` answers is among them, or all that there are. */
export async function readSince(
  connection: Pick<Connection, "request">,
  session: string,
  known: readonly string[],
): Promise<Read> {
  // As a rule one was asked elsewhere, and answers with their passages are long.
  for (let count = known.length ? 2 : WINDOW; ; count *= 4) {
    const read = await readTurns(connection, session, 0, count);
    if (typeof read === "string" || read.count < count) return read;
    if (!known.length || read.turns.some(({ answer }) => known.includes(answer.name))) return read;
  }
}

/** Return how many turns of a whole session were before that of the answer `name`. */
export async function indexIn(
  connection: Pick<Connection, "request">,
  session: string,
  name: string,
): Promise<number> {
  const reply = await connection.request("GET", `/v1/${session}`).catch(() => undefined);
  const { turns = [] } = (reply?.body ?? {}) as Session;
  return turns.findIndex(({ answer }) => answer === name);
}
