/**
 * The session that the tabs of one person share, and that a reload finds again: its name alone.
 *
 * The browser keeps no text of a conversation. Where names are kept and told is bound to the
 * service, the data store and who speaks, so that the next person at this browser finds another
 * place; what a name is good for the service decides, each time it is asked.
 */

/** What one tab tells the others: an answer that was accepted, in which session. */
export interface News {
  session: string;
  answer: string;
}

/** What is no name of a session is not asked for, whoever wrote it there. */
const NAME = /^projects(?:\/[^/?#.][^/?#]*)+\/sessions\/[\w-]+$/;
/** Milliseconds that a tab waits for another one which begins a session. */
const PATIENCE = 10_000;
/** Milliseconds within which a name surely gets from tab to tab. */
const DELIVERY = 10_000;

export class SharedSession {
  private readonly channel: BroadcastChannel;
  private kept = "";

  /** `key` names the place; `heard` is told what another tab does there. */
  constructor(
    private readonly key: string,
    heard: (news: News) => void,
  ) {
    this.channel = new BroadcastChannel(key);
    this.channel.onmessage = ({ data }: MessageEvent<News>) => {
      if (!NAME.test(data?.session)) return;
      heard(data);
    };
  }

  /** The name that was kept last; "" where there is none. */
  get name(): string {
    try {
      const name = localStorage.getItem(this.key) ?? "";
      return NAME.test(name) ? name : "";
    } catch {
      return "";
    }
  }

  set name(name: string) {
    this.kept = name;
    try {
      if (name) localStorage.setItem(this.key, name);
      else localStorage.removeItem(this.key);
    } catch {
      /* A page without storage begins a new session after each reload. */
    }
  }

  tell(news: News): void {
    this.channel.postMessage(news);
  }

  /**
   * Call `begin` while no other tab does, with the name that is shared by then: two tabs that ask
   * first at the same time have one session.
   *
   * Where the browser has no Web Locks (a page without HTTPS), or the other tab takes too long,
   * each begins its own.
   */
  async alone(begin: (name: string) => Promise<void>): Promise<void> {
    const { locks } = navigator;
    if (!locks) return begin(this.name);
    let hasBegun = false;
    const open = async () => {
      hasBegun = true;
      await begin(this.name || (await this.justOpened()));
      await this.tellOpened();
    };
    try {
      await locks.request(this.key, { signal: AbortSignal.timeout(PATIENCE) }, open);
    } catch {
      if (!hasBegun) await begin(this.name);
    }
  }

  /** Return the session that another tab has opened just now; its name stands in that of a lock. */
  private async justOpened(): Promise<string> {
    const { held = [] } = await navigator.locks.query();
    const names = held.map(({ name = "" }) => name.split(`${this.key}#`)[1] ?? "");
    return names.find((name) => NAME.test(name)) ?? "";
  }

  /** Hold such a lock for a while: storage and channel come later to the other tabs than locks do. */
  private tellOpened(): Promise<void> {
    const name = `${this.key}#${this.kept}`;
    return new Promise((told) => {
      const hold = () => {
        told();
        return new Promise((end) => setTimeout(end, DELIVERY));
      };
      void navigator.locks.request(name, { mode: "shared" }, hold);
    });
  }

  close(): undefined {
    this.channel.close();
  }
}
