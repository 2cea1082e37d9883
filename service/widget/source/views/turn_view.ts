/** One turn: the question, and the answer with its state, text, sources and related questions. */

import { isRunning, reasonOf, type ShownAnswer } from "../answer_state";
import { citedRanges, sourceOf } from "../citations";
import type { Turn } from "../conversation";
import { make, outsideLink, safeLink } from "../dom";
import type { Texts } from "../texts/texts";
import { AnswerText } from "./answer_text";
import { titleOf, type SourcePopover } from "./source_popover";

/** Search results that a refusal shows. */
const NEAREST = 3;

export interface TurnActions {
  ask(query: string): void;
}

export class TurnView {
  readonly node: HTMLLIElement;
  private readonly article: HTMLElement;
  private readonly state = make("div", { className: "state" });
  private readonly text: AnswerText;
  private readonly rest = make("div");
  private frame: number | undefined;

  constructor(
    private readonly turn: Turn,
    private readonly texts: Texts,
    popover: SourcePopover,
    private readonly actions: TurnActions,
  ) {
    this.text = new AnswerText(texts, popover);
    this.article = make("article", { "aria-label": texts.answer }, this.state, this.text.node, this.rest);
    const query = make("div", { className: "query", textContent: turn.query, dir: "auto" });
    this.node = make("li", {}, query, this.article);
    this.paint();
  }

  /** Show the turn as it is now, with the next frame of the browser; `painted` is called then. */
  changed(painted: () => void): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.paint();
      painted();
    });
  }

  private paint(): void {
    const { answer } = this.turn;
    this.article.setAttribute("aria-busy", String(isRunning(answer.state)));
    this.article.dataset["state"] = answer.state;
    this.state.textContent = stateText(answer, this.texts);
    this.text.show(answer);
    this.rest.replaceChildren(...this.sources(answer), ...this.related(answer));
  }

  private sources(answer: ShownAnswer): Node[] {
    const cited = citedRanges(answer.text, answer.citations).flatMap(({ sources }) => sources);
    const used = new Set(
      answer.skippedReasons.length ? [...answer.references.keys()].slice(0, NEAREST) : cited,
    );
    const list = make("ol", { className: "sources", "aria-label": this.texts.sources });
    answer.references.forEach((reference, index) => {
      if (!used.has(index)) return;
      const source = sourceOf(reference, index);
      const href = safeLink(source.uri);
      const title = titleOf(source, this.texts);
      list.append(make("li", { value: index + 1, dir: "auto" }, href ? outsideLink(href, title) : title));
    });
    return list.childElementCount ? [list] : [];
  }

  private related({ relatedQuestions }: ShownAnswer): Node[] {
    if (!relatedQuestions.length) return [];
    const group = make("div", { className: "related", role: "group", "aria-label": this.texts.related });
    for (const question of relatedQuestions) {
      const button = make("button", { type: "button", textContent: question, dir: "auto" });
      button.onclick = () => this.actions.ask(question);
      group.append(button);
    }
    return [group];
  }
}

/** Say in words of people how far the answer is. */
export function stateText(answer: ShownAnswer, texts: Texts): string {
  switch (answer.state) {
    case "QUEUED":
      return texts.queued;
    case "IN_PROGRESS":
      return answer.resets ? texts.rewriting : texts.searching;
    case "STREAMING":
      return answer.resets ? texts.rewriting : texts.writing;
    case "SUCCEEDED":
      return answer.skippedReasons.length ? texts.noAnswer : texts.answered;
    case "FAILED":
      return reasonOf(answer.error) === "CANCELLED" ? texts.stopped : texts.failed;
  }
}
