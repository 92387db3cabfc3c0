import type { SubscriptionChanged } from '@parley/shared/events';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import { askUntilAnswered } from '../ask-until-answered';
import { ChannelSubscribers } from './channel-subscribers';

/** Subscriptions that a pod remembers, of all channels together: about 100 bytes each. */
const MAX_SUBSCRIPTIONS = 1_000_000;

export interface SubscribersOptions {
  realm: RpcClient<'realm'>;
  log: Logger;
  stopping: AbortSignal;
}

/** Who is subscribed to the channels that this pod's queues care about. Fetched when first needed, kept up to date by events. */
export class Subscribers {
  /** The most recently used last. */
  readonly #channels = new Map<string, ChannelSubscribers>();
  readonly #loading = new Map<string, Promise<ChannelSubscribers>>();
  #count = 0;

  constructor(private readonly options: SubscribersOptions) {}

  /** The set of a channel, if what is known of it reaches up to `version`. */
  find(realmId: number, channelId: number, version: number): ChannelSubscribers | undefined {
    const key = keyOf(realmId, channelId);
    const channel = this.#channels.get(key);
    if (channel === undefined || channel.version < version) return undefined;
    this.#channels.delete(key);
    this.#channels.set(key, channel);
    return channel;
  }

  /** The same, fetched when it is not known. Never an older set: while realm is away the caller waits. */
  load(realmId: number, channelId: number, version: number): Promise<ChannelSubscribers> {
    return askUntilAnswered(this.options, 'realm for subscribers', async () => {
      const channel = this.find(realmId, channelId, version) ?? (await this.#fetchOnce(realmId, channelId));
      if (channel.version >= version) return channel;
      // A channel that does not exist has no subscribers: nobody gets what was sent to it.
      if (channel.version === 0) return this.#remember(realmId, channelId, new ChannelSubscribers(version, []));
      throw new Error(`realm knows version ${channel.version} of channel ${channelId}, and not yet ${version}`);
    });
  }

  /** A channel's set changed. After a gap in the versions the set stays as it was, good up to its own version only. */
  advance(realmId: number, change: SubscriptionChanged): void {
    const channel = this.#channels.get(keyOf(realmId, change.channelId));
    if (channel === undefined) return;
    this.#count -= channel.size;
    channel.advance(change);
    this.#count += channel.size;
  }

  /** Those who ask at the same time for the same channel share one call. */
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
    const channel = new ChannelSubscribers(version, subscribers);
    return version === 0 ? channel : this.#remember(realmId, channelId, channel);
  }

  #remember(realmId: number, channelId: number, channel: ChannelSubscribers): ChannelSubscribers {
    const key = keyOf(realmId, channelId);
    const known = this.#channels.get(key);
    // Events may have led further than the answer, which was on its way.
    if (known && known.version >= channel.version) return known;
    this.#forget(key);
    this.#channels.set(key, channel);
    this.#count += channel.size;
    this.#dropLeastRecentlyUsed();
    return channel;
  }

  #dropLeastRecentlyUsed(): void {
    for (const key of this.#channels.keys()) {
      if (this.#count <= MAX_SUBSCRIPTIONS || this.#channels.size === 1) return;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#count -= this.#channels.get(key)?.size ?? 0;
    this.#channels.delete(key);
  }
}

function keyOf(realmId: number, channelId: number): string {
  return `${realmId}/${channelId}`;
}
