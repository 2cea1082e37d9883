/** Keeps the end in view while a person reads there; who reads further up is only told that more came. */

import { make } from "../dom";
import type { Texts } from "../texts/texts";

/** Pixels from the end within which somebody reads there. */
const NEAR = 80;

export class Following {
  /** Leads to the end; it is there while something new is out of sight. */
  readonly button: HTMLButtonElement;
  private isFollowing = true;
  private top = 0;

  /** Follow the end of `content`, which lies in `scroll`. */
  constructor(
    private readonly scroll: HTMLElement,
    content: HTMLElement,
    texts: Texts,
  ) {
    this.button = make("button", { type: "button", className: "below", hidden: true, textContent: texts.newBelow });
    this.button.onclick = () => this.toEnd();
    scroll.addEventListener("scroll", () => this.scrolled(), { passive: true });
    new ResizeObserver(() => this.isFollowing && this.toEnd()).observe(content);
  }

  /** Something came at the end. */
  grown(): void {
    if (!this.isFollowing) this.button.hidden = false;
  }

  toEnd(): void {
    this.isFollowing = true;
    this.button.hidden = true;
    this.scroll.scrollTop = this.scroll.scrollHeight;
  }

  /** Change what is above `seen`, which stays where it is on the screen. */
  keep(seen: HTMLElement, change: () => void): void {
    const before = seen.getBoundingClientRect().top;
    change();
    if (this.isFollowing) this.toEnd();
    else this.scroll.scrollTop += seen.getBoundingClientRect().top - before;
  }

  /** Only a person scrolls up: what grows, or is drawn for the first time, moves the end down. */
  private scrolled(): void {
    const { scrollHeight, scrollTop, clientHeight } = this.scroll;
    if (scrollHeight - scrollTop - clientHeight < NEAR) {
      this.isFollowing = true;
      this.button.hidden = true;
    } else if (scrollTop < this.top) {
      this.isFollowing = false;
    }
    this.top = scrollTop;
  }
}
