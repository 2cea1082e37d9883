/**
 * Notices a socket that is dead without a word: after sleep, in another network, behind a cut.
 *
 * A browser sees such a socket as open for minutes. So something must come within a time: the
 * answer to a ping, which goes out now and then, and at once where the page wakes.
 */

/** Milliseconds between pings, and of the service's answer to one. */
const EVERY = 20_000;
const ANSWER = 5_000;
/** Milliseconds that a timer may be late before the page itself must have slept or been busy. */
const LATE = 1_000;

export class Liveness {
  private ticker: ReturnType<typeof setInterval> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ping: () => void,
    private readonly dead: () => void,
  ) {}

  /** A connection is begun: it must say something within so many milliseconds. */
  begin(patience: number): void {
    this.end();
    this.expect(patience);
    this.ticker = setInterval(() => this.check(), EVERY);
  }

  /** Ask whether the service is there. */
  check(): void {
    this.ping();
    if (this.timer === undefined) this.expect(ANSWER);
  }

  heard(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  end(): void {
    this.heard();
    clearInterval(this.ticker);
  }

  private expect(milliseconds: number): void {
    const due = Date.now() + milliseconds;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      // What came while the page slept is heard after this timer: it gets its time once more.
      if (Date.now() - due > LATE) this.check();
      else this.dead();
    }, milliseconds);
  }
}
