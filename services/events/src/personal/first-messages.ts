import type { FirstMessageOf } from '@parley/shared/events';
import type { ChannelActivity } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import { VISITOR_ID } from '@parley/shared/values';
import { askUntilAnswered } from '../base/ask-until-answered';
import type { LogEntry } from '../log/log-entry';

/** A channel each: well within the bound of a message, and of what messages takes. */
const ASKED_AT_ONCE = 10_000;

interface FirstMessagesOptions {
  messages: Pick<RpcClient<'messages'>, 'getChannelActivity'>;
  log: Logger;
  stopping: AbortSignal;
}

/**
 * With what the channels of events begin: realm announces channels, messages alone knows what is in them. Asked of messages once for an
 * event, when it is first delivered here. What changes later is told by an event of its own.
 */
export class FirstMessages {
  /** What is being asked. While messages is away clients ask again and again: an event waits once. */
  readonly #asked = new Map<LogEntry, Promise<void>>();

  constructor(private readonly options: FirstMessagesOptions) {}

  /** Completes events that lack them, in one call for those that nobody asks about yet. While messages is away the caller waits. */
  async complete(realmId: number, entries: readonly LogEntry[]): Promise<void> {
    const lacking = entries.filter((entry) => entry.lacksFirstMessages);
    const unasked = lacking.filter((entry) => !this.#asked.has(entry));
    if (unasked.length > 0) {
      const asking = this.#ask(realmId, unasked).finally(() => {
        for (const entry of unasked) this.#asked.delete(entry);
      });
      for (const entry of unasked) this.#asked.set(entry, asking);
    }
    await Promise.all(new Set(lacking.map((entry) => this.#asked.get(entry))));
  }

  async #ask(realmId: number, entries: readonly LogEntry[]): Promise<void> {
    const channelIds = [...new Set(entries.flatMap(({ begunChannelIds }) => begunChannelIds))];
    const known = new Map<number, number>();
    for (let start = 0; start < channelIds.length; start += ASKED_AT_ONCE) {
      const activities = await this.#activitiesOf(realmId, channelIds.slice(start, start + ASKED_AT_ONCE));
      for (const { channelId, firstMessageId } of activities) known.set(channelId, firstMessageId);
    }
    const firstMessageOf: FirstMessageOf = (channelId) => known.get(channelId) ?? null;
    for (const entry of entries) entry.learnFirstMessages(firstMessageOf);
  }

  async #activitiesOf(realmId: number, channelIds: number[]): Promise<ChannelActivity[]> {
    const { activities } = await askUntilAnswered(this.options, 'messages for what channels begin with', () =>
      // Of no user: it is for all who get the event.
      this.options.messages.getChannelActivity({ ...newCall(), realmId, userId: VISITOR_ID }, { channelIds }),
    );
    return activities;
  }
}
