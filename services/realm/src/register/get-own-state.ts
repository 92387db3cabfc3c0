import { batched } from '@parley/shared/batch';
import type { Sql } from '@parley/shared/db';
import { UserDeactivatedError } from '@parley/shared/errors';
import type { Bot, GetOwnStateRequest, OwnState, RegisterState } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isGuest, VISITOR_ID } from '@parley/shared/values';
import { publicBot } from '@parley/shared/wire';
import { actorOf } from '../actors/actor';
import { listManagedBots, listShownBots } from '../bot-owners/bots.sql';
import type { Context } from '../context';
import { type ChannelsOf, loadListVersions } from '../list-changes/list-versions';
import { readPresences } from '../presence/presence';
import { knownChannels, ungrouped } from '../subscriptions/known-channels';
import { NOTHING_SHARED, type OrganizationOf, organizationState } from './organization-state';
import { personalState } from './personal-state';
import { findOwn } from './register.sql';
import { getVisitorState } from './visitors';

/** Data read for many callers at once. */
export interface Readers {
  organizationOf: OrganizationOf;
  channelsOf: ChannelsOf;
}

const NO_CHANNELS = { channels: [] };
const NO_BOTS = Buffer.from('[]');

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
  [caller, { includesChannels, isPartial = false, presences, isGrouped = false }]: Question,
): Promise<OwnState> {
  const { realmId, userId } = caller;
  const nowMs = ctx.clock.now();
  const versions = await loadListVersions(sql, realmId, { nowMs, isPartial });
  if (userId === VISITOR_ID)
    return { ...asRead(await getVisitorState(ctx, sql, { organizationOf, channelsOf }, realmId), isGrouped), versions };
  const [organization, { channels }, own] = await Promise.all([
    organizationOf(sql, realmId),
    includesChannels ? channelsOf(realmId, { sql, version: versions.channels }) : NO_CHANNELS,
    loadOwn(sql, caller, { nowMs, isGrouped }),
  ]);
  const { actor, bots, shownBots, subscriptions, personal } = own;
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
  const known = knownChannels(channels, actor, subscriptions);
  return { ...asRead({ state, knownChannels: known, bots: shownBots }, isGrouped), versions };
}

/** What the caller of that version reads. */
function asRead(own: Omit<OwnState, 'versions' | 'channels'>, isGrouped: boolean): Omit<OwnState, 'versions'> {
  return isGrouped ? { ...own, channels: [] } : { ...own, knownChannels: [], channels: ungrouped(own.knownChannels) };
}

async function loadOwn(sql: Sql, caller: Caller, { nowMs, isGrouped }: { nowMs: number; isGrouped: boolean }) {
  const row = await findOwn(sql, caller, nowMs);
  if (row === null) throw new UserDeactivatedError();
  const { user, standing, groupIds, managesBots, subscriptions, ...personal } = row;
  const bots = await loadBots(sql, caller, { managesBots, isGrouped });
  return { actor: actorOf({ user, standing, groupIds }), ...bots, subscriptions, personal };
}

async function loadBots(
  sql: Sql,
  { realmId, userId }: Caller,
  { managesBots, isGrouped }: { managesBots: boolean; isGrouped: boolean },
): Promise<{ bots: Bot[]; shownBots: Buffer }> {
  if (!managesBots) return { bots: [], shownBots: NO_BOTS };
  if (!isGrouped)
    return { bots: (await listManagedBots(sql, realmId, userId)).map(({ bot }) => bot), shownBots: NO_BOTS };
  const bots = await listShownBots(sql, realmId, userId);
  return { bots: [], shownBots: Buffer.from(JSON.stringify(bots.map(publicBot))) };
}
