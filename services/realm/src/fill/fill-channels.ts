import type { Transaction } from '@parley/shared/db';
import { nameKey } from '../base/name-key';
import {
  type ChannelRow,
  type IntervalRow,
  insertFilledChannels,
  insertIntervals,
  insertSubscriptions,
  type SubscriptionRow,
  storeVersions,
} from './fill-channels.sql';
import type { FilledAccount } from './fill-people';
import type { Filling } from './fill-realm';
import {
  candidatesFor,
  type PlannedChannel,
  type PlannedSubscribers,
  planChannels,
  planSubscribers,
} from './plan-channels';
import { renderPlain } from './render-plain';

const ROWS_AT_ONCE = 50_000;

/** Creates channels with present and former subscribers; returns the number of present subscriptions. */
export async function fillChannels(
  tx: Transaction,
  { realmId, ownerId, nowMs, size, random }: Filling,
  accounts: readonly FilledAccount[],
): Promise<number> {
  const channels = planChannels(size.channels, accounts.length, size.subscriptionsPerUser, random);
  const ids = await insertFilledChannels(tx, realmId, { creatorId: ownerId, nowMs }, channels.map(toRow));
  const usedColors = accounts.map(() => new Set<string>());
  const [forAll, forMembers] = [candidatesFor(0, accounts), candidatesFor(1, accounts)];
  const batch = new Batch(tx, realmId);
  for (const [rank, channel] of channels.entries()) {
    const members = random.sample(rank % 10 === 0 ? forAll : forMembers, channel.size);
    const planned = planSubscribers(rank, members, accounts, usedColors, random);
    await batch.add(ids[rank] as number, planned, accounts);
  }
  return batch.finish();
}

function toRow({ madeDaysAgo, ...channel }: PlannedChannel): ChannelRow {
  return {
    name: channel.name,
    name_key: nameKey(channel.name),
    description: channel.description,
    rendered_description: renderPlain(channel.description, 'line'),
    is_private: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    is_history_public: channel.isHistoryPublic,
    is_archived: channel.isArchived,
    days: madeDaysAgo,
  };
}

/** Stores the subscribers of many channels in a few statements. */
class Batch {
  #subscriptions: SubscriptionRow[] = [];
  #intervals: IntervalRow[] = [];
  #versions: { channelId: number; version: number; subscriberCount: number }[] = [];

  constructor(
    private readonly tx: Transaction,
    private readonly realmId: number,
  ) {}

  async add(channelId: number, planned: PlannedSubscribers, accounts: readonly FilledAccount[]): Promise<void> {
    const { version, subscriberCount, subscriptions, intervals } = planned;
    const userIdOf = (account: number) => (accounts[account] as FilledAccount).id;
    for (const { account, ...rest } of subscriptions)
      this.#subscriptions.push({ channelId, userId: userIdOf(account), ...rest });
    for (const { account, ...rest } of intervals)
      this.#intervals.push({ channelId, userId: userIdOf(account), ...rest });
    this.#versions.push({ channelId, version, subscriberCount });
    if (this.#intervals.length >= ROWS_AT_ONCE) await this.#flush();
  }

  async finish(): Promise<number> {
    await this.#flush();
    await storeVersions(this.tx, this.realmId, this.#versions);
    return this.#versions.reduce((sum, { subscriberCount }) => sum + subscriberCount, 0);
  }

  async #flush(): Promise<void> {
    await insertSubscriptions(this.tx, this.realmId, this.#subscriptions);
    await insertIntervals(this.tx, this.realmId, this.#intervals);
    this.#subscriptions = [];
    this.#intervals = [];
  }
}
