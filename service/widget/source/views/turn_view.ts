/** One turn: the question, and the answer with its state, text, sources and what can be done with it. */

import { hasEnded, isRunning, type ShownAnswer } from "../answer_state";
import { Proof, sourceOf } from "../answers/citations";
import { evidenceOf } from "../answers/evidence";
import type { Wait } from "../conversation";
import type { Turn } from "../sessions/turns";
import { icon, make, speak } from "../dom";
import type { Rating } from "../feedback";
import type { Texts } from "../texts/texts";
import type { WidgetConfig } from "../wire";
import { AnswerText, type SourceViews } from "./answer_text";
import { AnswerTools } from "./answer_tools";
import { contactNodes } from "./contact";
import { isUnanswered, stateText } from "./turn_words";

/** Pages that a refusal shows. */
const NEAREST = 3;
/** Questions that are offered behind an answer. */
const MOST_RELATED = 3;
const PENCIL = "M3 17.3V21h3.7L17.8 9.9l-3.7-3.7zM20.7 7a1 1 0 0 0 0-1.4l-2.3-2.3a1 1 0 0 0-1.4 0l-1.8 1.8 3.7 3.7z";

export interface TurnActions {
  ask(query: string): void;
  /** Put a question into the field. */
  edit(query: string): void;
  /** What `turn` has to wait for. */
  waitsFor(turn: Turn): Wait;
  takeBack(turn: Turn): void;
  rate(turn: Turn, rating: Rating): Promise<boolean>;
  handover(query: string, contact: string): void;
  readonly sources: SourceViews;
  readonly config: WidgetConfig;
}

export class TurnView {
  readonly node: HTMLLIElement;
  private readonly article: HTMLElement;
  private readonly state = make("div", { className: "state" });
  private readonly text: AnswerText;
  private readonly rest = make("div");
  private tools: AnswerTools | undefined;
  private frame: number | undefined;
  /** Of what the rest was made: it is made anew only where that changes, so that focus stays. */
  private made = "";
  private hasEnded = false;

  constructor(
    private readonly turn: Turn,
    private readonly texts: Texts,
    private readonly actions: TurnActions,
  ) {
    this.text = new AnswerText(texts, actions.sources);
    this.article = make("article", { "aria-label": texts.answer }, this.state, this.text.node, this.rest);
    this.node = make("li", {}, this.question(), this.article);
    this.paint();
  }

  /** Show the turn as it is now, with the next frame of the browser. */
  changed(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.paint();
    });
  }

  private question(): HTMLElement {
    const { texts, turn, actions } = this;
    const query = make("h3", { className: "query", textContent: turn.query, dir: "auto" });
    const edit = make("button", {
      type: "button",
      className: "icon",
      title: texts.editQuestion,
      "aria-label": texts.editQuestion,
    });
    edit.append(icon(PENCIL));
    edit.onclick = () => actions.edit(turn.query);
    return make("div", { className: "asked" }, edit, query);
  }

  private paint(): void {
    const { answer } = this.turn;
    const proof = new Proof(answer);
    this.article.setAttribute("aria-busy", String(isRunning(answer.state)));
    this.article.dataset["state"] = answer.state;
    this.article.toggleAttribute("data-refused", answer.skippedReasons.length > 0);
    const wait = this.actions.waitsFor(this.turn);
    const { config } = this.actions;
    const before = this.state.textContent;
    const told = stateText(answer, this.texts, wait, config.displayName);
    this.state.textContent = told;
    this.text.show(answer, proof, config.languageCodes);
    if (!this.hasEnded && told !== before) this.speak(told);
    const { state, relatedQuestions, skippedReasons, references, resets } = answer;
    const { contact } = config;
    const made = JSON.stringify([
      state, [...proof.numbers], relatedQuestions, skippedReasons, references.length, resets, contact, wait,
    ]);
    if (made === this.made) return;
    this.made = made;
    this.rest.replaceChildren(
      ...(skippedReasons.length ? this.help(answer) : this.sources(proof)),
      ...(wait === "nothing" ? [] : [this.takeBack()]),
      ...this.toolsOf(answer),
      ...this.related(answer),
    );
  }

  /** The answer is said as a whole when it is there, never the pieces of it. */
  private speak(state: string): void {
    this.hasEnded = hasEnded(this.turn.answer.state);
    speak(this.node, this.hasEnded ? `${state} ${this.text.words}` : state);
  }

  private takeBack(): Node {
    const button = make("button", { type: "button", textContent: this.texts.takeBack });
    button.onclick = () => this.actions.takeBack(this.turn);
    return make("div", { className: "help" }, button);
  }

  private toolsOf({ state }: ShownAnswer): Node[] {
    if (!hasEnded(state)) return [];
    this.tools ??= new AnswerTools(this.turn, this.texts, this.actions);
    return [this.tools.node];
  }

  /** What is cited, each a button that opens it. */
  private sources(proof: Proof): Node[] {
    const list = make("ol", { className: "sources", "aria-label": this.texts.sources });
    for (const index of proof.numbers.keys()) {
      const { title } = proof.cited(index).source;
      const open = make("button", { type: "button", textContent: title || this.texts.untitled, dir: "auto" });
      open.onclick = () => this.actions.sources.open(open, new Proof(this.turn.answer).cited(index));
      list.append(make("li", {}, open));
    }
    return list.childElementCount ? [list] : [];
  }

  /** What helps where there is no answer: pages near to the question, and a person. */
  private help(answer: ShownAnswer): Node[] {
    const { texts, actions, turn } = this;
    const nodes: Node[] = [];
    if (isUnanswered(answer)) {
      const list = make("ul", { className: "sources nearest", "aria-label": texts.nearest });
      answer.references.slice(0, NEAREST).forEach((reference, index) => {
        const source = sourceOf(reference, index);
        const evidence = evidenceOf([], source.passages);
        const cited = { number: index + 1, source, evidence, support: undefined };
        const open = make("button", { type: "button", textContent: source.title || texts.untitled, dir: "auto" });
        open.onclick = () => actions.sources.open(open, cited);
        list.append(make("li", {}, open));
      });
      if (list.childElementCount) nodes.push(make("p", { textContent: texts.nearest }), list);
    }
    const edit = make("button", { type: "button", textContent: texts.editQuestion });
    edit.onclick = () => actions.edit(turn.query);
    const contact = contactNodes(actions.config.contact, texts, (to) => actions.handover(turn.query, to));
    return [...nodes, make("div", { className: "help" }, edit, ...contact)];
  }

  private related({ relatedQuestions }: ShownAnswer): Node[] {
    const some = relatedQuestions.slice(0, MOST_RELATED);
    return questionButtons(some, this.texts.related, (question) => this.actions.ask(question));
  }
}

/** Make a group of questions, each a button that asks it; none makes no group. */
export function questionButtons(
  questions: readonly string[],
  label: string,
  ask: (question: string) => void,
): HTMLElement[] {
  if (!questions.length) return [];
  const group = make("div", { className: "related", role: "group", "aria-label": label });
  for (const question of questions) {
    const button = make("button", { type: "button", textContent: question, dir: "auto" });
    button.onclick = () => ask(question);
    group.append(button);
  }
  return [group];
}
