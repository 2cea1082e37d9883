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

export class SharedSession {
  private readonly channel: BroadcastChannel;

  /** `key` names the place; `heard` is told what another tab does there. */
  constructor(
    private readonly key: string,
    heard: (news: News) => void,
  ) {
    this.channel = new BroadcastChannel(key);
    this.channel.onmessage = ({ data }) => heard(data as News);
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
   * Call `begin` while no other tab does: two that ask first at the same time share a session.
   *
   * Where the browser has no Web Locks (a page without HTTPS), or the other tab takes too long,
   * each begins its own.
   */
  async alone(begin: () => Promise<void>): Promise<void> {
    if (!navigator.locks) return begin();
    let hasBegun = false;
    const beginOnce = () => {
      hasBegun = true;
      return begin();
    };
    try {
      await navigator.locks.request(this.key, { signal: AbortSignal.timeout(PATIENCE) }, beginOnce);
    } catch {
      if (!hasBegun) await begin();
    }
  }

  close(): void {
    this.channel.close();
  }
}
