/** Where an answer is proven: its citations in characters, and its references as sources. */

import type { ShownAnswer } from "../answer_state";
import { type Evidence, evidenceOf, type Passage } from "./evidence";
import type { Citation, Reference } from "../wire";

export interface Source {
  /** Of the reference in the answer, from 0. */
  index: number;
  title: string;
  /** Resource name of the document, and its id: the name's last part. */
  document: string;
  uri: string;
  passages: Passage[];
}

export interface CitedRange {
  /** Characters (UTF-16 units) of the text, end exclusive. */
  start: number;
  end: number;
  sources: number[];
}

/** How surely a source says what is cited from it. */
export type Support = "verbatim" | "strong" | "partial" | "weak";

/** What a part of an answer takes from one source. */
export interface Cited {
  /** As people see it: sources are counted from 1 as the text cites them. */
  number: number;
  source: Source;
  evidence: Evidence;
  support: Support | undefined;
}

/** From these grounding scores on a source supports a statement, or a part of it. */
const STRONG = 0.8;
const PARTIAL = 0.5;

/** The citations of an answer, ready to be asked for each part of its text. */
export class Proof {
  /** The references that are cited, in the order of the text, with their numbers. */
  readonly numbers = new Map<number, number>();
  private readonly ranges: CitedRange[];
  private readonly scored: (CitedRange & { score: number })[];

  constructor(private readonly answer: ShownAnswer) {
    const { text, citations, supports } = answer;
    this.ranges = citedRanges(text, citations);
    const scored = supports.filter(({ groundingScore }) => groundingScore !== undefined);
    this.scored = scored.flatMap((support) =>
      citedRanges(text, [support]).map((range) => ({ ...range, score: support.groundingScore ?? 0 })),
    );
    for (const index of this.ranges.flatMap(({ sources }) => sources)) {
      if (answer.references[index] && !this.numbers.has(index)) {
        this.numbers.set(index, this.numbers.size + 1);
      }
    }
  }

  /** Return the references that are cited for what ends between `start` and `end`. */
  indexesIn(start: number, end: number): number[] {
    const cited = this.within(start, end).flatMap(({ sources }) => sources);
    return [...new Set(cited)].filter((index) => this.numbers.has(index));
  }

  /** Return what ends between `start` and `end` and is taken from the reference `index`. */
  cited(index: number, start = 0, end = Number.POSITIVE_INFINITY): Cited {
    const ranges = this.within(start, end).filter(({ sources }) => sources.includes(index));
    const statements = ranges.map((range) => this.answer.text.slice(range.start, range.end));
    const source = sourceOf(this.answer.references[index] ?? {}, index);
    const evidence = evidenceOf(statements, source.passages);
    const number = this.numbers.get(index) ?? index + 1;
    return { number, source, evidence, support: this.support(index, ranges, evidence) };
  }

  private within(start: number, end: number): CitedRange[] {
    return this.ranges.filter((range) => range.end > start && range.end <= end);
  }

  private support(index: number, ranges: CitedRange[], evidence: Evidence): Support | undefined {
    if (ranges.length && evidence.isComplete) return "verbatim";
    const scores = this.scored
      .filter(({ sources }) => sources.includes(index))
      .filter((scored) => ranges.some(({ start, end }) => start < scored.end && scored.start < end))
      .map(({ score }) => score);
    if (!scores.length) return undefined;
    const least = Math.min(...scores);
    return least >= STRONG ? "strong" : least >= PARTIAL ? "partial" : "weak";
  }
}

/** Return the citations in characters of `text`; the service counts bytes of UTF-8. */
export function citedRanges(text: string, citations: readonly Citation[]): CitedRange[] {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  const ranges: CitedRange[] = [];
  let atByte = 0;
  let at = 0;
  const characters = (byte: number) => {
    if (byte < atByte) [atByte, at] = [0, 0];
    at += decoder.decode(bytes.subarray(atByte, byte)).length;
    atByte = byte;
    return at;
  };
  for (const { startIndex, endIndex, sources } of citations) {
    const end = Number(endIndex ?? 0);
    if (!end || end > bytes.length) continue;
    ranges.push({
      start: characters(Number(startIndex ?? 0)),
      end: characters(end),
      sources: (sources ?? []).map(({ referenceId }) => Number(referenceId ?? 0)),
    });
  }
  return ranges;
}

/** Return what is shown of a reference. */
export function sourceOf(reference: Reference, index: number): Source {
  const unstructured = reference.unstructuredDocumentInfo;
  const chunk = reference.chunkInfo;
  const metadata = unstructured ?? reference.structuredDocumentInfo ?? chunk?.documentMetadata ?? {};
  const chunks = [...(unstructured?.chunkContents ?? []), ...(chunk ? [chunk] : [])];
  const document = metadata.document ?? "";
  return {
    index,
    title: metadata.title || document.split("/").pop() || "",
    document,
    uri: metadata.uri ?? "",
    passages: chunks.map((each) => ({
      text: each.content ?? "",
      page: ("pageIdentifier" in each ? each.pageIdentifier : undefined) ?? metadata.pageIdentifier,
    })),
  };
}
