/** What a person thinks of an answer, and how the service is told. */

export type FeedbackReason =
  | "INACCURATE_RESPONSE"
  | "NOT_RELEVANT"
  | "INCOMPREHENSIVE"
  | "BAD_CITATION"
  | "OFFENSIVE_OR_UNSAFE"
  | "FORMAT_AND_STYLES";

export interface Rating {
  isHelpful: boolean;
  reasons: FeedbackReason[];
  comment: string;
  /** What became of it: a rating with reasons is `asked` for them first, an earlier one was `kept`. */
  state: "asked" | "sent" | "failed" | "kept";
}

/** Return a rating that was sent before the page was loaded. */
export function keptRating(isHelpful: boolean): Rating {
  return { isHelpful, reasons: [], comment: "", state: "kept" };
}

/**
 * Return the user event `add-feedback` about the question `index` of a session, from 0.
 *
 * Who `isKnown` by a token is filled in by the service; others are nobody outside of this session.
 */
export function feedbackEvent(session: string, index: number, rating: Rating, isKnown: boolean): object {
  return {
    eventType: "add-feedback",
    ...(isKnown ? {} : { userPseudoId: session.split("/").pop() }),
    feedback: {
      feedbackType: rating.isHelpful ? "LIKE" : "DISLIKE",
      reasons: rating.reasons,
      comment: rating.comment,
      conversationInfo: { session, questionIndex: index },
    },
  };
}
