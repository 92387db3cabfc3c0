import { batched } from '@parley/shared/batch';
import type { Sql } from '@parley/shared/db';
import { UserDeactivatedError } from '@parley/shared/errors';
import type { Channel, GetOwnStateRequest, KnownChannel, OwnState, RegisterState } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isGuest, VISITOR_ID } from '@parley/shared/values';
import { type Actor, actorOf } from '../actors/actor';
import { listManagedBots } from '../bot-owners/bots.sql';
import { viewerOf } from '../channel-access/access-channel';
import { hasMetadataAccess } from '../channel-access/permissions';
import type { Context } from '../context';
import { type ChannelsOf, loadListVersions } from '../list-changes/list-versions';
import { readPresences } from '../presence/presence';
import { NOTHING_SHARED, type OrganizationOf, organizationState } from './organization-state';
import { personalState } from './personal-state';
import { findOwn, type SubscriptionState } from './register.sql';
import { getVisitorState } from './visitors';

/** Data read for many callers at once. */
export interface Readers {
  organizationOf: OrganizationOf;
  channelsOf: ChannelsOf;
}

const NO_CHANNELS = { channels: [] };

type Question = [Caller, GetOwnStateRequest];

/** Members who share a snapshot; a larger number delays each answer more. */
const MEMBERS_AT_ONCE = 8;
const SNAPSHOTS_AT_ONCE = 4;

/** Answers getOwnState(); concurrent members share a snapshot and the data of their organization. */
export function ownStateReader(ctx: Context, readers: Readers): (...question: Question) => Promise<OwnState> {
  const ask = batched<Question, OwnState>((questions) => readOwnStates(ctx, readers, questions), {
    maxItems: MEMBERS_AT_ONCE,
    maxInFlight: SNAPSHOTS_AT_ONCE,
  });
  return (...question) => ask(question);
}

/** The realm's part of POST /register without shared lists, from one snapshot. */
export async function getOwnState(ctx: Context, readers: Readers, ...question: Question): Promise<OwnState> {
  const [answer] = await readOwnStates(ctx, readers, [question]);
  if (answer instanceof Error) throw answer;
  return answer as OwnState;
}

async function readOwnStates(
  ctx: Context,
  readers: Readers,
  questions: readonly Question[],
): Promise<(OwnState | Error)[]> {
  const { result, snapshot } = await ctx.db.readAtOnce((sql) =>
    Promise.all(questions.map((question) => readOwnState(ctx, sql, readers, question).catch((error: Error) => error))),
  );
  for (const answer of result) if (!(answer instanceof Error) && answer.state) answer.state.snapshot = snapshot;
  return result;
}

async function readOwnState(
  ctx: Context,
  sql: Sql,
  { organizationOf, channelsOf }: Readers,
  [caller, { includesChannels, isPartial = false, presences }]: Question,
): Promise<OwnState> {
  const { realmId, userId } = caller;
  const nowMs = ctx.clock.now();
  const versions = await loadListVersions(sql, realmId, { nowMs, isPartial });
  if (userId === VISITOR_ID)
    return { ...(await getVisitorState(ctx, sql, { organizationOf, channelsOf }, realmId)), versions };
  const [organization, { channels }, own] = await Promise.all([
    organizationOf(sql, realmId),
    includesChannels ? channelsOf(realmId, { sql, version: versions.channels }) : NO_CHANNELS,
    loadOwn(sql, caller, nowMs),
  ]);
  const { actor, bots, subscriptions, personal } = own;
  const seesEverybody = !isGuest(actor.user.role);
  const present = presences && (await readPresences(sql, caller, presences, { listedAtMs: nowMs, seesEverybody }));
  const { facts, lists, statuses } = organization;
  const { defaultChannelIds, defaultChannelGroups } = facts;
  const state: RegisterState = {
    ...organizationState(ctx, facts, actor),
    ...NOTHING_SHARED,
    ownUser: actor.user,
    defaultChannelIds,
    defaultChannelGroups,
    lists,
    personal: personalState(actor.user, personal, statuses),
    bots,
    snapshot: '',
    ...(present && { presences: present }),
  };
  return { state, channels: knownChannels(channels, actor, subscriptions), versions };
}

async function loadOwn(sql: Sql, caller: Caller, nowMs: number) {
  const row = await findOwn(sql, caller, nowMs);
  if (row === null) throw new UserDeactivatedError();
  const { user, standing, groupIds, managesBots, subscriptions, ...personal } = row;
  const bots = managesBots ? await listManagedBots(sql, caller.realmId, caller.userId) : [];
  return { actor: actorOf({ user, standing, groupIds }), bots: bots.map(({ bot }) => bot), subscriptions, personal };
}

function knownChannels(
  channels: readonly Channel[],
  actor: Actor,
  subscriptions: readonly SubscriptionState[],
): KnownChannel[] {
  const subscriptionTo = new Map(subscriptions.map((subscription) => [subscription.channelId, subscription]));
  const known: KnownChannel[] = [];
  for (const channel of channels) {
    const { isSubscribed = false, properties } = subscriptionTo.get(channel.id) ?? {};
    if (!hasMetadataAccess(channel, viewerOf(actor, channel, isSubscribed))) continue;
    known.push({
      channelId: channel.id,
      isSubscribed,
      ...(properties && { subscription: { channel: null, ...properties } }),
    });
  }
  return known;
}
