import { assertAccepted, type BrokenPromise, brokenIn, eg, Participant } from '@parley/dev-env';

const MAX_MESSAGES = 5_000;

interface StoredMessage {
  id: number;
  sender_id: number;
  content: string;
}

/** Checks the stored messages: each accepted number must be there once. */
export class History extends Participant {
  /** The last checked message of each sender. */
  readonly #checked = new Map<number, { number: number; id: number }>();

  async findBroken(): Promise<BrokenPromise[]> {
    const accepted = this.traffic.senders.map(({ account, accepted: last }) => ({ account, last }));
    const messages = await this.#readNew();
    return accepted.flatMap(({ account, last }) => {
      const before = this.#checked.get(account.userId)?.number ?? 0;
      const own = messages
        .filter(({ sender_id: id }) => id === account.userId)
        .map((message) => ({ ...message, number: numberOf(message) }));
      const numbers = own
        .map(({ number }) => number)
        .filter((number) => number >= Math.max(1, before) && number <= last);
      const lastOne = own.find(({ number }) => number === last);
      if (lastOne) this.#checked.set(account.userId, { number: last, id: lastOne.id });
      const where = `stored, ${account.email}`;
      const isWhole = numbers.at(-1) === last && (numbers[0] === before || (before === 0 && numbers[0] === 1));
      const ends: BrokenPromise[] = isWhole
        ? []
        : [{ promise: 'nothing lost', what: `${where}: not all from ${before} to ${last}` }];
      return [...brokenIn(numbers, where), ...ends];
    });
  }

  async #readNew(): Promise<StoredMessage[]> {
    const ids = this.traffic.senders.map(({ account }) => this.#checked.get(account.userId)?.id ?? 0);
    const answer = await this.ask('GET', 'messages', {
      ...{ anchor: `${Math.min(...ids)}`, num_before: '0', num_after: `${MAX_MESSAGES}`, apply_markdown: 'false' },
      narrow: JSON.stringify([{ operator: 'channel', operand: eg.general }]),
    });
    if (answer) assertAccepted(answer);
    return (answer?.['messages'] ?? []) as StoredMessage[];
  }
}

/** Zero for other messages. */
function numberOf({ content }: StoredMessage): number {
  return Number(/^number (\d+)$/.exec(content)?.[1] ?? 0);
}
