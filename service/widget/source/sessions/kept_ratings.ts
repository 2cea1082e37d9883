/**
 * Which answers helped and which did not, as far as was said in this browser: a reload shows it.
 *
 * Kept are ids of answers, no text. The place is bound to who speaks, as that of the session is.
 */

/** Answers that are remembered, the latest ones. */
const MOST = 500;

export class KeptRatings {
  constructor(private readonly key: string) {}

  /** Whether the answer of this name helped; nothing where that was not said. */
  of(answer: string): boolean | undefined {
    return this.read().find(([id]) => id === idOf(answer))?.[1];
  }

  keep(answer: string, isHelpful: boolean): void {
    const id = idOf(answer);
    const others = this.read().filter(([known]) => known !== id);
    try {
      localStorage.setItem(this.key, JSON.stringify([...others, [id, isHelpful]].slice(-MOST)));
    } catch {
      /* A page without storage forgets it with a reload. */
    }
  }

  private read(): [string, boolean][] {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.key) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isRating) : [];
    } catch {
      return [];
    }
  }
}

/** Whatever stands there: other scripts of the page can write it. */
function isRating(kept: unknown): kept is [string, boolean] {
  return Array.isArray(kept) && typeof kept[0] === "string" && typeof kept[1] === "boolean";
}

function idOf(answer: string): string {
  return answer.split("/").pop() ?? "";
}
