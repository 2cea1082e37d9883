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

/** Milliseconds that a tab waits for another one which begins a session. */
const PATIENCE = 10_000;
/** Milliseconds that a name takes to get from tab to tab at most, and between looks for it. */
const DELIVERY = 1_000;
const LOOK = 20;

export class SharedSession {
  private readonly channel: BroadcastChannel;
  private heardName = "";

  /** `key` names the place; `heard` is told what another tab does there. */
  constructor(
    private readonly key: string,
    heard: (news: News) => void,
  ) {
    this.channel = new BroadcastChannel(key);
    this.channel.onmessage = ({ data }: MessageEvent<News>) => {
      this.heardName = data.session;
      heard(data);
    };
  }

  /** The name that was kept last; "" where there is none. */
  get name(): string {
    try {
      return localStorage.getItem(this.key) ?? "";
    } catch {
      return "";
    }
  }

  set name(name: string) {
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
    if (!navigator.locks) return begin(this.name);
    let hasBegun = false;
    const beginWith = async (name: string) => {
      hasBegun = true;
      await begin(name);
      return true;
    };
    const { locks } = navigator;
    const isFree = await locks.request(this.key, { ifAvailable: true }, (lock) => lock && beginWith(this.name));
    if (isFree) return;
    const wait = { signal: AbortSignal.timeout(PATIENCE) };
    try {
      await locks.request(this.key, wait, async () => beginWith(await this.toldName()));
    } catch {
      if (!hasBegun) await begin(this.name);
    }
  }

  /** The name that the tab before told: it comes later than the lock does. */
  private toldName(): Promise<string> {
    const end = Date.now() + DELIVERY;
    return new Promise((resolve) => {
      const look = () => {
        const name = this.name || this.heardName;
        if (name || Date.now() > end) resolve(name);
        else setTimeout(look, LOOK);
      };
      look();
    });
  }

  close(): void {
    this.channel.close();
  }
}
