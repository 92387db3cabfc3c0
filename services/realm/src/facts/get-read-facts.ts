import { batched } from '@parley/shared/batch';
import type {
  ChannelReadFacts,
  GetChannelsOfReadersRequest,
  GetChannelsOfReadersResponse,
  GetReadFactsRequest,
  Organization,
  ReadFacts,
  User,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { VISITOR_ID } from '@parley/shared/values';
import { confirmBy, keyToConfirm } from '../api-keys/confirm-credential';
import { hasContentAccess, hasMetadataAccess, mayReadHistory, type Viewer } from '../channel-access/permissions';
import type { Context } from '../context';
import { LEASE_MS, leasesAllowed } from '../leases/hold-leases';
import { findRealm } from '../organization/realms.sql';
import {
  type ChannelRow,
  findReadVersions,
  listReceiptCandidates,
  listWebPublicChannels,
  loadChannelsOfReaders,
  loadOwnOfReaders,
  loadReadFacts,
} from './read-facts.sql';

type GetReadFacts = (caller: Caller, request: GetReadFactsRequest) => Promise<ReadFacts>;

/**
 * getReadFacts() for callers that cache facts: a known version that is current gets no facts again, and may be leased. Its check confirms the
 * credential, and those of concurrent calls share a statement.
 */
export function readFactsReader(ctx: Pick<Context, 'db' | 'clock'>): GetReadFacts {
  const findVersions = batched(
    (callers: Caller[]) => {
      const nowMs = ctx.clock.now();
      return findReadVersions(ctx.db, callers.map(queryOf), { nowMs, thenMs: nowMs + LEASE_MS });
    },
    { maxItems: 64, maxInFlight: 2 },
  );
  const allowsLease = leasesAllowed(ctx);
  return async (caller, request) => {
    const { knownVersion, receipts, wantsLease } = request;
    if (knownVersion === undefined || receipts || caller.userId === VISITOR_ID)
      return getReadFacts(ctx, caller, request);
    // Before the versions are read, see listUnchanging().
    const isAllowed = wantsLease === true && (await allowsLease(caller.realmId));
    const known = await findVersions(caller);
    confirmBy(known?.holder ?? null, caller);
    if (known?.version !== knownVersion) return getReadFacts(ctx, caller, request);
    const { version, usersVersion, isLasting } = known;
    return {
      ...NO_FACTS,
      isKnown: true,
      version,
      ...(usersVersion !== null && { usersVersion }),
      ...(isAllowed && isLasting && { leaseMs: LEASE_MS }),
    };
  };
}

const NO_FACTS: ReadFacts = {
  realm: null,
  reader: null,
  channels: [],
  mutedUserIds: [],
  alertWords: [],
  receiptCandidates: [],
  readerSettings: '{}',
};

function queryOf(caller: Caller) {
  return { realmId: caller.realmId, userId: caller.userId, apiKeyId: keyToConfirm(caller) };
}

/**
 * The facts for reading messages: requested channels that the caller may see or was ever subscribed to, and the received versions. One
 * SQL statement, and one more for questions about readers of a message.
 */
export async function getReadFacts(
  ctx: Pick<Context, 'db' | 'clock'>,
  caller: Caller,
  { receipts, channels: scope }: GetReadFactsRequest = {},
): Promise<ReadFacts> {
  const { realmId, userId } = caller;
  if (userId === VISITOR_ID) return visitorReadFacts(ctx, realmId);
  const apiKeyId = keyToConfirm(caller);
  const [facts, receiptCandidates] = await Promise.all([
    loadReadFacts(ctx.db, { realmId, userId, nowMs: ctx.clock.now(), apiKeyId, scope }),
    receipts ? listReceiptCandidates(ctx.db, realmId, userId, receipts) : [],
  ]);
  if (facts === null) throw new Error(`organization ${realmId} has no user ${userId}, in whose name it was called`);
  const { realm, reader, channels, mutedUserIds, alertWords, version, usersVersion } = facts;
  const { subdomain, isDeactivated: isRealmDeactivated } = realm;
  confirmBy(facts.isKeyGood ? { ...reader, subdomain, isRealmDeactivated } : null, caller);
  const readerSettings = facts.readerSettings ?? '{}';
  return {
    realm,
    reader,
    channels: toKnown(channels, reader),
    mutedUserIds,
    alertWords,
    receiptCandidates,
    readerSettings,
    version,
    ...(usersVersion !== null && { usersVersion }),
  };
}

/** The channels of getReadFacts() for several readers: one SQL statement. */
export async function getChannelsOfReaders(
  ctx: Context,
  { realmId, readers, withOwn }: GetChannelsOfReadersRequest,
): Promise<GetChannelsOfReadersResponse> {
  const nowMs = ctx.clock.now();
  const rows = withOwn
    ? await loadOwnOfReaders(ctx.db, realmId, readers, nowMs)
    : (await loadChannelsOfReaders(ctx.db, realmId, readers, nowMs)).map((row) => ({ ...row, mutedUserIds: [] }));
  return { readers: rows.map(({ role, channels, ...facts }) => ({ ...facts, channels: toKnown(channels, { role }) })) };
}

/** Channels that the reader may see or was ever subscribed to. */
export function toKnown(channels: readonly ChannelRow[], reader: Pick<User, 'role'>): ChannelReadFacts[] {
  return channels
    .filter((channel) => channel.intervals || hasMetadataAccess(channel, viewerOf(channel, reader)))
    .map((channel) => toReadFacts(channel, reader));
}

function viewerOf({ isSubscribed, holds }: ChannelRow, { role }: Pick<User, 'role'>): Viewer {
  return { role, isSubscribed, holds: new Set(holds ?? []) };
}

function toReadFacts(channel: ChannelRow, reader: Pick<User, 'role'>): ChannelReadFacts {
  const { channelId, name, isSubscribed, isMuted, isPrivate, isWebPublic, isArchived, intervals } = channel;
  const viewer = viewerOf(channel, reader);
  return {
    channelId,
    name,
    mayReadHistory: mayReadHistory(channel, viewer),
    hasContentAccess: hasContentAccess(channel, viewer),
    isSubscribed,
    isMuted,
    isPublic: !isPrivate,
    isWebPublic,
    isArchived,
    subscriptionVersion: channel.subscriptionVersion,
    isHidden: isPrivate && !hasMetadataAccess(channel, viewer),
    intervals: intervals ?? [],
  };
}

/** Visitors may read web-public channels, with their history. */
async function visitorReadFacts(ctx: Pick<Context, 'db'>, realmId: number): Promise<ReadFacts> {
  const [realm, channels] = await Promise.all([
    findRealm(ctx.db, realmId) as Promise<Organization>,
    listWebPublicChannels(ctx.db, realmId),
  ]);
  return {
    realm,
    reader: null,
    channels: channels.map((channel) => ({
      ...channel,
      mayReadHistory: true,
      hasContentAccess: true,
      isSubscribed: false,
      isMuted: false,
      isPublic: true,
      isWebPublic: true,
      isHidden: false,
      intervals: [],
    })),
    mutedUserIds: [],
    alertWords: [],
    receiptCandidates: [],
    readerSettings: '{}',
  };
}
