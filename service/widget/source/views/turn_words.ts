/** What is said of a turn in words of people: how far it is, and why there is no answer. */

import { reasonOf, type ShownAnswer } from "../answer_state";
import type { Wait } from "../conversation";
import { filled, type Texts } from "../texts/texts";

/** Say how far the answer is; `place` is what is searched, in words of people. */
export function stateText(answer: ShownAnswer, texts: Texts, wait: Wait, place = texts.place): string {
  if (wait !== "nothing") return wait === "answer" ? texts.waiting : texts.queued;
  switch (answer.state) {
    case "QUEUED":
    case "SENT":
      return texts.sending;
    case "IN_PROGRESS":
    case "STREAMING":
      return runningText(answer, texts, place);
    case "SUCCEEDED":
      if (answer.skippedReasons.length) return refusalText(answer.skippedReasons, texts, place);
      // Small talk found nothing: it speaks for itself.
      return answer.references.length ? texts.answered : "";
    case "FAILED":
      if (reasonOf(answer.error) === "CANCELLED") return texts.stopped;
      return answer.error?.status === "RESOURCE_EXHAUSTED" ? texts.failedBusy : texts.failed;
  }
}

function runningText(answer: ShownAnswer, texts: Texts, place: string): string {
  if (answer.resets) return texts.rewriting;
  if (answer.text) return texts.writing;
  const { references } = answer;
  return references.length
    ? filled(texts.reading, { count: references.length })
    : filled(texts.searching, { place });
}

/** Say why there is no answer. */
export function refusalText(reasons: readonly string[], texts: Texts, place: string): string {
  const said = { place };
  switch (reasons[0]) {
    case "NON_ANSWER_SEEKING_QUERY_IGNORED":
    case "NON_ANSWER_SEEKING_QUERY_IGNORED_V2":
      return filled(texts.refusedSmallTalk, said);
    case "ADVERSARIAL_QUERY_IGNORED":
      return texts.refusedHarmful;
    case "JAIL_BREAKING_QUERY_IGNORED":
      return filled(texts.refusedJailbreak, said);
    case "POTENTIAL_POLICY_VIOLATION":
    case "CUSTOMER_POLICY_VIOLATION":
    case "USER_DEFINED_CLASSIFICATION_QUERY_IGNORED":
      return texts.refusedPolicy;
    default:
      return filled(texts.noAnswer, said);
  }
}

/** Whether the documents were searched and did not hold it: pages near to it may help then. */
export function isUnanswered(answer: ShownAnswer): boolean {
  const [reason] = answer.skippedReasons;
  return ["OUT_OF_DOMAIN_QUERY_IGNORED", "NO_RELEVANT_CONTENT", "LOW_GROUNDED_ANSWER", "UNHELPFUL_ANSWER"]
    .includes(reason ?? "");
}
