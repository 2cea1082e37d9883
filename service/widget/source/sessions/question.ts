/** A question as the service is asked. */

import type { ClientFrame } from "../wire";

/** What a page adds to each question that is asked on it. */
export interface Context {
  /** An expression over fields of documents, as of `searchSpec.searchParams.filter`. */
  filter?: string;
  /** Labels that the service logs and counts with the question, as of `userLabels`. */
  labels?: Record<string, string>;
}

export interface Place {
  /** Of the service: wss://…/v1/ws. */
  socket: string;
  servingConfig: string;
}

/** Return the data store or engine that is asked. */
export function storeOf({ servingConfig }: Place): string {
  return servingConfig.split("/servingConfigs/")[0] ?? "";
}

/** Return the frame that asks `text` under `id`, in `session` or in one that it opens. */
export function questionFrame(
  id: string,
  text: string,
  session: string,
  place: Place,
  { filter, labels }: Context,
): ClientFrame & { id: string } {
  return {
    type: "answer",
    id,
    servingConfig: place.servingConfig,
    request: {
      query: { text },
      session: session || `${storeOf(place)}/sessions/-`,
      answerGenerationSpec: {
        includeCitations: true,
        ignoreAdversarialQuery: true,
        ignoreJailBreakingQuery: true,
      },
      groundingSpec: { includeGroundingSupports: true },
      relatedQuestionsSpec: { enable: true },
      ...(filter ? { searchSpec: { searchParams: { filter } } } : {}),
      ...(labels ? { userLabels: labels } : {}),
    },
  };
}
