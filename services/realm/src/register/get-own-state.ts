import { batched } from '@parley/shared/batch';
import type { Sql } from '@parley/shared/db';
import { UserDeactivatedError } from '@parley/shared/errors';
import type { GetOwnStateRequest, OwnState, RegisterState } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isGuest, VISITOR_ID } from '@parley/shared/values';
import { actorOf } from '../actors/actor';
import { listManagedBots } from '../bot-owners/bots.sql';
import type { Context } from '../context';
import { type ChannelsOf, partialSince } from '../list-changes/list-versions';
import { findListVersions, type ListsView } from '../list-changes/versions.sql';
import { readPresences } from '../presence/presence';
import { knownChannels, ungrouped } from '../subscriptions/known-channels';
import { NOTHING_SHARED, type OrganizationOf, organizationReader, organizationState } from './organization-state';
import { personalState } from './personal-state';
import { findOwn } from './register.sql';
import { type ShownBotsOf, shownBotsReader } from './shown-bots';
import { getVisitorState } from './visitors';

/** Data read for many callers at once. */
export interface Readers {
  organizationOf: OrganizationOf;
  channelsOf: ChannelsOf;
  shownBotsOf: ShownBotsOf;
}

export function registerReaders(ctx: Context, channelsOf: ChannelsOf): Readers {
  return { organizationOf: organizationReader(ctx), channelsOf, shownBotsOf: shownBotsReader(ctx) };
}

const NO_CHANNELS = { channels: [] };
const NO_BOTS = Buffer.from('[]');
/** Guests are not told of default channels. */
const NO_DEFAULTS = { defaultChannelIds: [], defaultChannelGroups: [] };

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

/** In the snapshot of `sql`, which is not named in the answer. */
export async function readOwnState(
  ctx: Context,
  sql: Sql,
  readers: Readers,
  [caller, { includesChannels, isPartial = false, presences, isGrouped = false }]: Question,
): Promise<OwnState> {
  const { realmId, userId } = caller;
  const { organizationOf, channelsOf } = readers;
  const nowMs = ctx.clock.now();
  const view = { nowMs, presentSinceMs: isPartial ? partialSince(nowMs) : null };
  if (userId === VISITOR_ID) {
    const versions = await findListVersions(sql, realmId, view);
    return { ...asRead(await getVisitorState(ctx, sql, readers, realmId), isGrouped), versions };
  }
  const own = await loadOwn(sql, caller, readers, { ...view, isGrouped });
  const { actor, bots, shownBots, subscriptions, personal, versions } = own;
  const [organization, { channels }] = await Promise.all([
    organizationOf(sql, realmId),
    includesChannels ? channelsOf(realmId, { sql, version: versions.channels }) : NO_CHANNELS,
  ]);
  const viewer = { isGuest: isGuest(actor.user.role), usersVersion: versions.users };
  const present = presences && (await readPresences(sql, caller, presences, { listedAtMs: nowMs, viewer }));
  const { facts, lists, statuses } = organization;
  const { defaultChannelIds, defaultChannelGroups } = facts;
  const state: RegisterState = {
    ...organizationState(ctx, facts, actor),
    ...NOTHING_SHARED,
    ownUser: actor.user,
    ...(viewer.isGuest ? NO_DEFAULTS : { defaultChannelIds, defaultChannelGroups }),
    lists,
    personal: personalState(actor.user, personal, statuses),
    bots,
    snapshot: '',
    ...(present && { presences: present }),
  };
  const known = knownChannels(channels, actor, subscriptions);
  return { ...asRead({ state, knownChannels: known, bots: shownBots }, isGrouped), versions };
}

/** What the caller of that version reads. */
function asRead(own: Omit<OwnState, 'versions' | 'channels'>, isGrouped: boolean): Omit<OwnState, 'versions'> {
  return isGrouped ? { ...own, channels: [] } : { ...own, knownChannels: [], channels: ungrouped(own.knownChannels) };
}

interface OwnView extends ListsView {
  isGrouped: boolean;
}

async function loadOwn(sql: Sql, caller: Caller, { shownBotsOf }: Readers, { isGrouped, ...view }: OwnView) {
  const row = await findOwn(sql, caller, view);
  if (row === null) throw new UserDeactivatedError();
  const { user, standing, groupIds, users, groups, channels, subscribers, ...others } = row;
  const { managesBots, botsVersion, subscriptions, ...personal } = others;
  const versions = { users, groups, channels, subscribers };
  const actor = actorOf({ user, standing, groupIds });
  const own = { actor, bots: [], shownBots: NO_BOTS, subscriptions, personal, versions };
  if (!managesBots) return own;
  if (isGrouped) return { ...own, shownBots: await shownBotsOf(sql, user, { ...versions, bots: botsVersion }) };
  return { ...own, bots: (await listManagedBots(sql, caller.realmId, caller.userId)).map(({ bot }) => bot) };
}
