import type { Logger } from '@parley/shared/service';

/** Messages whose pages are asked for at a time, one of each sender; each asks for a few dozen at most. */
const MAX_AT_ONCE = 16;
/** Beyond that, messages do without: one sender's slow pages are nobody else's loss. */
const MAX_WAITING = 1_000;
const MAX_WAITING_OF_SENDER = 20;

/** A stored message that links to pages. */
export interface LinkingMessage {
  realmId: number;
  senderId: number;
  messageId: number;
  urls: readonly string[];
}

/** Cards that messages get once their pages have been asked for: nobody who sends waits for a page. */
export interface LateCards {
  want(message: LinkingMessage): void;
  /** Gives up what is underway. */
  stop(): Promise<void>;
}

/** NOTE: What waits is forgotten when the process ends; such a message has no cards, and is complete all the same. */
export function createLateCards(
  add: (message: LinkingMessage, signal: AbortSignal) => Promise<void>,
  log: Logger,
): LateCards {
  const waiting: LinkingMessage[] = [];
  /** By sender. */
  const underway = new Map<string, { work: Promise<void>; givingUp: AbortController }>();
  let isStopped = false;

  function startNext(): void {
    const at = waiting.findIndex((message) => !underway.has(senderOf(message)));
    if (at === -1 || underway.size >= MAX_AT_ONCE) return;
    const [message] = waiting.splice(at, 1) as [LinkingMessage];
    const givingUp = new AbortController();
    const work = add(message, givingUp.signal)
      .catch((error) => log.warn({ err: error, messageId: message.messageId }, 'a message got no website cards'))
      .finally(() => {
        underway.delete(senderOf(message));
        startNext();
      });
    underway.set(senderOf(message), { work, givingUp });
  }

  function mayWait(message: LinkingMessage): boolean {
    const ofSender = waiting.filter((other) => senderOf(other) === senderOf(message));
    return waiting.length < MAX_WAITING && ofSender.length < MAX_WAITING_OF_SENDER;
  }

  return {
    want(message) {
      if (message.urls.length === 0 || isStopped || !mayWait(message)) return;
      waiting.push(message);
      startNext();
    },
    async stop() {
      isStopped = true;
      waiting.length = 0;
      for (const { givingUp } of underway.values()) givingUp.abort();
      await Promise.all([...underway.values()].map(({ work }) => work));
    },
  };
}

const senderOf = ({ realmId, senderId }: LinkingMessage) => `${realmId} ${senderId}`;
