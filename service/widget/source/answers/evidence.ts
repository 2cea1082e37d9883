/** Which passage of a source says what is cited from it, and where in it. */

export interface Passage {
  text: string;
  page: string | undefined;
}

export interface Evidence {
  passage: Passage;
  /** The heading that the cited words stand under in the passage, or "". */
  heading: string;
  /** Characters of the passage that say the statements, in order, end exclusive; maybe none. */
  ranges: { start: number; end: number }[];
  /** Every statement was found word for word. */
  isComplete: boolean;
}

/** Characters of a first line that may be a heading. */
const LONGEST_HEADING = 120;

/** Find the passage that says the most of the statements, and where it says them. */
export function evidenceOf(statements: readonly string[], passages: readonly Passage[]): Evidence {
  const found = passages.map((passage) =>
    statements.map((statement) => rangeOf(statement, passage.text)),
  );
  const counts = found.map((ranges) => ranges.filter(Boolean).length);
  const best = Math.max(counts.indexOf(Math.max(...counts)), 0);
  const passage = passages[best] ?? { text: "", page: undefined };
  const ranges = (found[best] ?? []).flatMap((range) => range ?? []);
  ranges.sort((one, other) => one.start - other.start);
  const isComplete = statements.every((_, place) =>
    found.some((ranges) => ranges[place]?.isWhole),
  );
  return { passage, ranges, isComplete, heading: headingBefore(passage.text, ranges[0]?.end) };
}

/** Find a statement in a passage: all of it, or its longest line without the mark of a list. */
function rangeOf(statement: string, passage: string) {
  const lines = statement
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim())
    .sort((one, other) => other.length - one.length);
  for (const [place, wanted] of [statement.trim(), ...lines].entries()) {
    const start = wanted ? passage.indexOf(wanted) : -1;
    const isWhole = place === 0 || lines.length === 1;
    if (start >= 0) return { start, end: start + wanted.length, isWhole };
  }
  return undefined;
}

/** Return the last line before `end` that stands alone like a heading, without a full stop. */
function headingBefore(passage: string, end = passage.length): string {
  const lines = passage.slice(0, end).split(/\n{2,}/).slice(0, -1);
  const isHeading = (line: string) =>
    line.length <= LONGEST_HEADING && !line.includes("\n") && !/[.:;,。：]$/.test(line) && !/^\W*$/.test(line);
  return lines.filter(isHeading).at(-1)?.trim() ?? "";
}
