import type { SubscriptionChanged } from '@parley/shared/events';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import { askUntilAnswered } from '../base/ask-until-answered';
import { ChannelSubscribers } from './channel-subscribers';

/** Maximum number of cached subscriptions, for all channels together: about 100 bytes each. */
const MAX_SUBSCRIPTIONS = 1_000_000;
/**
 * After about ten seconds of retries realm is assumed to have lost versions, as after restoring a backup, and its answer is used.
 */
const MAX_OLDER_ANSWERS = 9;

interface SubscribersOptions {
  realm: RpcClient<'realm'>;
  log: Logger;
  stopping: AbortSignal;
  /** Cached subscriptions of all channels; each channel counts as one more. */
  maxSubscriptions?: number | undefined;
}

/** Subscribers of the channels that this pod's queues need. Fetched on first use, kept up to date by events. */
export class Subscribers {
  /** In the order of use, latest last. */
  readonly #channels = new Map<string, ChannelSubscribers>();
  readonly #loading = new Map<string, Promise<ChannelSubscribers>>();
  /** By channel and version: any number of pending polls share one call to realm. */
  readonly #awaited = new Map<string, Promise<ChannelSubscribers>>();
  readonly #maxWeight: number;
  #weight = 0;

  constructor(private readonly options: SubscribersOptions) {
    this.#maxWeight = options.maxSubscriptions ?? MAX_SUBSCRIPTIONS;
  }

  /** The subscribers of a channel, if they are known up to `version`. */
  find(realmId: number, channelId: number, version: number): ChannelSubscribers | undefined {
    const key = keyOf(realmId, channelId);
    const channel = this.#channels.get(key);
    if (!channel?.covers(version)) return undefined;
    this.#channels.delete(key);
    this.#channels.set(key, channel);
    return channel;
  }

  /**
   * The same, fetched if unknown. The caller waits while realm is unreachable or has older versions only. The returned set is
   * complete for `version`, even if the cache has no room for it.
   */
  load(realmId: number, channelId: number, version: number): Promise<ChannelSubscribers> {
    const key = `${keyOf(realmId, channelId)}@${version}`;
    const running = this.#awaited.get(key);
    if (running) return running;
    const awaited = this.#fetchUntil(realmId, channelId, version).finally(() => this.#awaited.delete(key));
    this.#awaited.set(key, awaited);
    return awaited;
  }

  async #fetchUntil(realmId: number, channelId: number, version: number): Promise<ChannelSubscribers> {
    let olderAnswers = 0;
    return askUntilAnswered(this.options, 'realm for subscribers', async () => {
      const channel =
        this.find(realmId, channelId, version) ?? (await this.#fetchReaching(realmId, channelId, version));
      if (channel.covers(version)) return channel;
      olderAnswers += 1;
      const known = `realm knows version ${channel.version} of channel ${channelId}, not ${version}`;
      // Version 0: the channel does not exist, so it has no subscribers.
      const isFinal = channel.version === 0 || olderAnswers >= MAX_OLDER_ANSWERS;
      if (!isFinal) throw new Error(known);
      if (channel.version > 0) this.options.log.error({ realmId }, `${known}: it has lost what it knew`);
      channel.trustUpTo(version);
      return channel;
    });
  }

  /** A shared answer may be older than the version. */
  async #fetchReaching(realmId: number, channelId: number, version: number): Promise<ChannelSubscribers> {
    const isShared = this.#loading.has(keyOf(realmId, channelId));
    const channel = await this.#fetchOnce(realmId, channelId);
    return isShared && !channel.covers(version) ? this.#fetchOnce(realmId, channelId) : channel;
  }

  /** A channel's set changed. After a gap in the versions the set is unchanged, valid up to its own version only. */
  advance(realmId: number, change: SubscriptionChanged): void {
    const channel = this.#channels.get(keyOf(realmId, change.channelId));
    if (channel === undefined) return;
    this.#weight -= channel.weight;
    channel.advance(change);
    this.#weight += channel.weight;
  }

  /** Concurrent requests for the same channel share one call. */
  #fetchOnce(realmId: number, channelId: number): Promise<ChannelSubscribers> {
    const key = keyOf(realmId, channelId);
    const running = this.#loading.get(key);
    if (running) return running;
    const loading = this.#fetch(realmId, channelId).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  async #fetch(realmId: number, channelId: number): Promise<ChannelSubscribers> {
    const { version, subscribers } = await this.options.realm.getSubscribers(newCall(), { realmId, channelId });
    return this.#remember(realmId, channelId, new ChannelSubscribers(version, subscribers));
  }

  #remember(realmId: number, channelId: number, channel: ChannelSubscribers): ChannelSubscribers {
    const key = keyOf(realmId, channelId);
    const known = this.#channels.get(key);
    // Events may have advanced beyond the answer meanwhile.
    if (known && known.version >= channel.version) return known;
    this.#forget(key);
    this.#channels.set(key, channel);
    this.#weight += channel.weight;
    this.#dropLeastRecentlyUsed();
    return channel;
  }

  #dropLeastRecentlyUsed(): void {
    for (const key of this.#channels.keys()) {
      if (this.#weight <= this.#maxWeight || this.#channels.size === 1) return;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#weight -= this.#channels.get(key)?.weight ?? 0;
    this.#channels.delete(key);
  }
}

function keyOf(realmId: number, channelId: number): string {
  return `${realmId}/${channelId}`;
}
