/** Where an answer is proven: its citations in characters, and its references as sources. */

import type { Citation, Reference } from "./wire";

export interface Source {
  /** Of the reference in the answer, from 0. */
  index: number;
  title: string;
  document: string;
  uri: string;
  passages: string[];
  page: string | undefined;
}

export interface CitedRange {
  /** Characters (UTF-16 units) of the text, end exclusive. */
  start: number;
  end: number;
  sources: number[];
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
  const passages = (unstructured?.chunkContents ?? []).map(({ content }) => content ?? "");
  if (chunk?.content) passages.push(chunk.content);
  const document = metadata.document ?? "";
  return {
    index,
    title: metadata.title || document.split("/").pop() || "",
    document,
    uri: metadata.uri ?? "",
    passages,
    page: unstructured?.chunkContents?.[0]?.pageIdentifier ?? metadata.pageIdentifier,
  };
}

export interface Evidence {
  passage: string;
  /** Characters of the passage that say the statements, in order, end exclusive; maybe none. */
  ranges: { start: number; end: number }[];
}

/** Find the passage that says the first statement found, and where it says that and the others. */
export function evidenceOf(statements: readonly string[], passages: readonly string[]): Evidence {
  for (const passage of passages) {
    const ranges = statements.flatMap((statement) => rangeOf(statement, passage) ?? []);
    if (ranges.length) {
      return { passage, ranges: ranges.sort((one, other) => one.start - other.start) };
    }
  }
  return { passage: passages[0] ?? "", ranges: [] };
}

/** Find a statement in a passage: all of it, or its longest line without the mark of a list. */
function rangeOf(statement: string, passage: string): { start: number; end: number } | undefined {
  const lines = statement
    .split("\n")
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim())
    .sort((one, other) => other.length - one.length);
  for (const wanted of [statement.trim(), ...lines]) {
    const start = wanted ? passage.indexOf(wanted) : -1;
    if (start >= 0) return { start, end: start + wanted.length };
  }
  return undefined;
}
