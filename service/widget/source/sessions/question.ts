/** A question as the service is asked. */

import type { Context, Place } from "../conversation";
import type { ClientFrame } from "../wire";

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
