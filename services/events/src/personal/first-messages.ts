import type { FirstMessageOf } from '@parley/shared/events';
import type { ChannelActivity } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import { VISITOR_ID } from '@parley/shared/values';
import { askUntilAnswered } from '../base/ask-until-answered';
import type { LogEntry } from '../log/log-entry';

/** One channel each: well within the maximum size of a message and of the method. */
const ASKED_AT_ONCE = 10_000;

interface FirstMessagesOptions {
  messages: Pick<RpcClient<'messages'>, 'getChannelActivity'>;
  log: Logger;
  stopping: AbortSignal;
}

/**
 * The first messages of channels in events: realm announces channels, only messages knows their messages. Loaded once per event,
 * when it is first delivered here. Later changes have their own events.
 */
export class FirstMessages {
  /** Loads in progress. While messages is unreachable clients poll repeatedly: each event is loaded once. */
  readonly #asked = new Map<LogEntry, Promise<void>>();

  constructor(private readonly options: FirstMessagesOptions) {}

  /**
   * Adds missing first messages to events, in one call for all that are not being loaded yet. The caller waits while messages is
   * unreachable.
   */
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
      // The trace of no particular user: it is for all receivers of the event.
      this.options.messages.getChannelActivity(
        { ...newCall(), realmId, userId: VISITOR_ID },
        { channelIds, onlyFirstMessages: true },
      ),
    );
    return activities;
  }
}
