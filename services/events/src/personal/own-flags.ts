import { batched } from '@parley/shared/batch';
import type { MessageOfUser, PersonalFlags } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import { askUntilAnswered } from '../base/ask-until-answered';
import type { LogEntry } from '../log/log-entry';

/** The bound of a call. */
const ASKED_AT_ONCE = 1_000;

interface OwnFlagsOptions {
  messages: Pick<RpcClient<'messages'>, 'getPersonalFlags'>;
  log: Logger;
  stopping: AbortSignal;
}

/**
 * The receivers' own flags on the messages of events: read, starred, collapsed. Loaded from messages when an event is about to be
 * delivered, for its receivers here, and not cached. An answer may be newer than the event, which is harmless: later changes have
 * their own events, and setting a flag twice changes nothing.
 */
export class OwnFlags {
  /** Loads in progress. While messages is unreachable clients poll repeatedly: each question is loaded once. */
  readonly #asked = new Map<string, Promise<PersonalFlags>>();
  readonly #ask: (question: MessageOfUser) => Promise<PersonalFlags>;

  constructor(options: OwnFlagsOptions) {
    const ask = async (questions: MessageOfUser[]) => {
      const { flags } = await askUntilAnswered(options, 'messages for what receivers have set', () =>
        options.messages.getPersonalFlags(newCall(), { questions }),
      );
      return flags;
    };
    this.#ask = batched(ask, { maxItems: ASKED_AT_ONCE, maxInFlight: 2 });
  }

  /** For an event with a `flaggedMessageId`: a user's flags on that message. The caller waits while messages is unreachable. */
  of(realmId: number, entry: LogEntry, userId: number): Promise<PersonalFlags> {
    // NOTE: by event and not by message, because flags loaded for an earlier event may be older than this one.
    const key = `${entry.id}/${userId}`;
    const asked = this.#asked.get(key);
    if (asked) return asked;
    const messageId = entry.flaggedMessageId as number;
    const asking = this.#ask({ realmId, messageId, userId }).finally(() => {
      if (this.#asked.get(key) === asking) this.#asked.delete(key);
    });
    this.#asked.set(key, asking);
    return asking;
  }

  /** The same for several users, by id. */
  async ofAll(
    realmId: number,
    entry: LogEntry,
    userIds: Iterable<number>,
  ): Promise<ReadonlyMap<number, PersonalFlags>> {
    const pairs = Array.from(userIds, async (userId) => [userId, await this.of(realmId, entry, userId)] as const);
    return new Map(await Promise.all(pairs));
  }

  /** The log was replaced: events of the new one may have the same ids. */
  forgetAll(): void {
    this.#asked.clear();
  }
}
