import { isDeepStrictEqual } from 'node:util';
import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { BadRequestError, NothingToDoError } from '@parley/shared/errors';
import { draftChanged, draftRemoved, draftsAdded, type UserSettingChanged } from '@parley/shared/events';
import { prismaTransaction } from '@parley/shared/prisma';
import type {
  CreateDraftsRequest,
  CreateDraftsResponse,
  DeleteDraftRequest,
  DeleteDraftResponse,
  DraftInput,
  Drafts,
  SendFacts,
  SendFactsQuery,
  UpdateDraftRequest,
  UpdateDraftResponse,
} from '@parley/shared/proto';
import { findFirstAnswer, keyedRequest, storeOnce } from '@parley/shared/request-keys';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, LIMITS, truncate, userSettingsOf } from '@parley/shared/values';
import { isReadBySender } from '../access/permissions';
import { checkContent, normalizeContent } from '../content/compose-message';
import type { Context } from '../context';
import {
  dropDrafts,
  insertDrafts,
  listDrafts,
  lockDraft,
  measureDrafts,
  type NewDraft,
  replaceDraft,
} from './draft.sql';

/** All drafts of the caller, by time of the last edit, newest first. */
export async function getDrafts(ctx: Context, caller: Caller): Promise<Drafts> {
  const [drafts] = await Promise.all([listDrafts(ctx.db, caller, DRAFT_LIMITS.count), loadDraftFacts(ctx, caller)]);
  return { drafts };
}

/** Stores new drafts of the caller, all or none. A request repeated with the same key stores them once. */
export async function createDrafts(
  ctx: Context,
  caller: Caller,
  { drafts: inputs, idempotencyKey }: CreateDraftsRequest,
): Promise<CreateDraftsResponse> {
  if (inputs.length > DRAFT_LIMITS.perRequest) {
    throw new BadRequestError(`Too many drafts in one request (maximum ${DRAFT_LIMITS.perRequest}).`);
  }
  const keyed = keyedRequest(caller, 'drafts', idempotencyKey, inputs.map(meaningOf));
  const first = await findFirstAnswer<CreateDraftsResponse>(ctx, ctx.db, keyed);
  if (first) return first;
  const facts = await loadDraftFacts(ctx, caller, inputs);
  const drafts = inputs.map((input) => draftFromInput(input, facts));
  if (drafts.length === 0) return { draftIds: [] };
  checkRoom(await measureDrafts(ctx.db, caller), drafts);
  const { realmId, userId } = caller;
  return storeOnce(ctx, keyed, async (tx) => {
    const draftIds = await insertDrafts(tx, caller, drafts);
    const added = drafts.map((draft, index) => ({ id: draftIds[index] as number, ...draft }));
    await announce(tx, draftsAdded(realmId, { userId, drafts: added }));
    return { draftIds };
  });
}

function meaningOf({ kind, toIds, topic, content, editedAtMs }: DraftInput): unknown[] {
  return [kind, toIds, topic, content, editedAtMs];
}

function checkRoom(kept: { count: number; characters: number }, drafts: readonly NewDraft[]): void {
  const characters = drafts.reduce((sum, { content }) => sum + codePointLength(content), kept.characters);
  if (kept.count + drafts.length > DRAFT_LIMITS.count || characters > DRAFT_LIMITS.characters) {
    throw new BadRequestError(REFUSAL.messages.tooManyDrafts);
  }
}

/** Replaces a draft of the caller by another one. */
export async function updateDraft(
  ctx: Context,
  caller: Caller,
  { draftId, draft: sent }: UpdateDraftRequest,
): Promise<UpdateDraftResponse> {
  const input = sent as DraftInput;
  const facts = await loadDraftFacts(ctx, caller, [input]);
  const { realmId, userId } = caller;
  await ctx.db.transaction(async (tx) => {
    const present = await lockDraft(tx, caller, draftId);
    if (present === null) throw draftDoesNotExist();
    const draft = { id: draftId, ...draftFromInput(input, facts) };
    if (isDeepStrictEqual(draft, present)) return;
    await replaceDraft(tx, caller, draft);
    await announce(tx, draftChanged(realmId, { userId, draft }));
  });
  return {};
}

export async function deleteDraft(
  ctx: Context,
  caller: Caller,
  { draftId }: DeleteDraftRequest,
): Promise<DeleteDraftResponse> {
  await loadDraftFacts(ctx, caller);
  const { realmId, userId } = caller;
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    const { count } = await prisma.draft.deleteMany({ where: { realmId, userId, id: draftId } });
    if (count === 0) throw draftDoesNotExist();
    await announce(tx, draftRemoved(realmId, { userId, draftId }));
  });
  return {};
}

/** Realm's facts about the author and the drafts' recipients. */
interface DraftFacts {
  authorId: number;
  /** Ids of channels that the author may read, without archived ones. */
  channelIds: ReadonlySet<number>;
  userIds: ReadonlySet<number>;
  nowMs: number;
}

/** Realm's answers in the form needed to check drafts. */
function draftFactsFrom(facts: readonly SendFacts[], authorId: number, nowMs: number): DraftFacts {
  const channels = facts.flatMap(({ channel }) => (channel && isReadBySender(channel) && channel.channel) || []);
  return {
    authorId,
    channelIds: new Set(channels.filter(({ isArchived }) => !isArchived).map(({ id }) => id)),
    userIds: new Set(facts.flatMap(({ recipients }) => recipients.map(({ id }) => id))),
    nowMs,
  };
}

/** Validates a draft. The order of the checks determines which of several errors a client sees. */
function draftFromInput({ kind, toIds, topic, content, editedAtMs }: DraftInput, facts: DraftFacts): NewDraft {
  checkContent(content);
  const draft = { topic: '', content: normalizeContent(content), editedAtMs: editedAtMs ?? facts.nowMs };
  if (draft.editedAtMs < 0) throw new BadRequestError('Timestamp must not be negative.');
  if (kind === 'channel') {
    return { ...draft, topic: topicOf(topic), channelId: channelOf(toIds, facts), recipientIds: [] };
  }
  return { ...draft, recipientIds: kind === 'direct' ? recipientsOf(toIds, facts) : [] };
}

function topicOf(topic: string): string {
  if (topic.includes('\0')) throw new BadRequestError('Topic must not contain null bytes');
  return truncate(topic, LIMITS.topicLength, '...');
}

function channelOf(toIds: readonly number[], { channelIds }: DraftFacts): number {
  const [channelId] = toIds;
  if (channelId === undefined || toIds.length !== 1) {
    throw new BadRequestError('Must specify exactly 1 channel ID for channel messages');
  }
  if (!channelIds.has(channelId)) throw new BadRequestError('Invalid channel ID');
  return channelId;
}

/** A draft to oneself and others is one to the others. */
function recipientsOf(toIds: readonly number[], { userIds, authorId }: DraftFacts): number[] {
  const unknown = toIds.find((id) => !userIds.has(id));
  if (unknown !== undefined) throw new BadRequestError(`Invalid user ID ${unknown}`);
  const ids = [...new Set(toIds)].sort((a, b) => a - b);
  return ids.length > 1 ? ids.filter((id) => id !== authorId) : ids;
}

/** Loads the facts for drafts in one call. Throws if the user has disabled drafts on the server. */
async function loadDraftFacts(ctx: Context, caller: Caller, drafts: readonly DraftInput[] = []): Promise<DraftFacts> {
  const { facts } = await ctx.services.realm.getSendFacts(caller, { queries: queriesFor(caller, drafts) });
  const { enable_drafts_synchronization: isWanted } = userSettingsOf(facts[0]?.senderSettings ?? '{}');
  if (!isWanted) throw new BadRequestError('User has disabled synchronizing drafts.');
  return draftFactsFrom(facts, caller.userId, ctx.clock.now());
}

/** One requests all users, and one each channel. */
function queriesFor({ realmId, userId }: Caller, drafts: readonly DraftInput[]): SendFactsQuery[] {
  const idsIn = (wanted: string) => [...new Set(drafts.flatMap(({ kind, toIds }) => (kind === wanted ? toIds : [])))];
  const query = {
    realmId,
    senderId: userId,
    recipientEmails: [],
    mentionedNames: [],
    mentionedGroupNames: [],
    linkedChannelNames: [],
    emojiNames: [],
  };
  return [
    { ...query, recipientIds: idsIn('direct') },
    ...idsIn('channel').map((channelId) => ({ ...query, recipientIds: [], channelId })),
  ];
}

/** Deletes the drafts of users who have disabled drafts on the server. Clients need no event. */
export async function dropUnwantedDrafts(
  { db }: Pick<Context, 'db'>,
  events: readonly ConsumedEvent<UserSettingChanged>[],
): Promise<void> {
  for (const { id, realmId, payload } of events) {
    const { name, value, userId } = payload;
    if (name !== 'enable_drafts_synchronization' || value !== false) continue;
    await dropDrafts(db, { realmId, userId }, numberOf(id));
  }
}

/** An event's id is the service's name and an ascending number. */
function numberOf(eventId: string): number {
  return Number(eventId.slice(eventId.lastIndexOf(':') + 1));
}

function draftDoesNotExist(): BadRequestError {
  return new NothingToDoError('Draft does not exist', 404);
}

// SPEC-GAP: neither the number nor the size of drafts is documented; all of them are returned at once.
export const DRAFT_LIMITS = {
  /** Per user. */
  count: 5_000,
  /** In all drafts of a user together, in code points. */
  characters: 10_000_000,
  perRequest: 500,
  inRegister: 1_000,
} as const;
