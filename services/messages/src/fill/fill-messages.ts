// Filling (`npm run -s admin -- messages fill`) makes up messages for an organization. Plans are pure and follow from a seed; few channels and topics
// have most messages. Realm tells in one call who was subscribed to what when (GetFillFacts). Texts consist of parts that are rendered once. A batch is
// one statement, all batches are one transaction, and its last event, messages.filled, ends the organization's queues.

import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { actPerformed, messagesFilled } from '@parley/shared/events';
import type { FillFacts, FillMessagesRequest, FillMessagesResponse } from '@parley/shared/proto';
import { type Call, newCall } from '@parley/shared/rpc';
import { realmUrl, SeededRandom } from '@parley/shared/values';
import type { Context } from '../context';
import {
  analyzeFilled,
  deleteUnwritten,
  endTimeLimit,
  findPast,
  insertDirects,
  insertExceptions,
  insertFilledMessages,
  insertReaders,
  insertStars,
  insertTopics,
  listLastVersions,
  type Past,
  updateLatestOfDirects,
  updateLatestOfTopics,
} from './fill.sql';
import { type FillSize, planDirects, planTopics, sizeFromInput } from './plan-conversations';
import { type Places, type PlannedMessage, planMarks, planMessages, planReaders } from './plan-messages';
import { Texts } from './texts';

const YEAR_MS = 365 * 24 * 3600 * 1000;
const ROWS_AT_ONCE = 5_000;
const FACTS_TIMEOUT_MS = 60_000;

/** The input of a fill. */
interface Filling {
  requestId: string;
  facts: FillFacts;
  size: FillSize;
  past: Past | null;
  nowMs: number;
  realmUrl: string;
  random: SeededRandom;
}

/**
 * Fills an organization with messages of the last year, or of the time since its last message; the same seed
 * gives the same messages. For the operator's command. Clients get no events: they have to register again.
 */
export async function fillMessages(
  ctx: Context,
  { requestId }: Call,
  request: FillMessagesRequest,
): Promise<FillMessagesResponse> {
  const size = sizeFromInput(request);
  const { subdomain } = request;
  const facts = await ctx.services.realm.getFillFacts(newCall(undefined, FACTS_TIMEOUT_MS), { subdomain });
  const filled = await ctx.db.transaction(async (tx) =>
    fillIn(tx, {
      requestId,
      facts,
      size,
      past: await findPast(tx, facts.realmId),
      nowMs: ctx.clock.now(),
      realmUrl: realmUrl(subdomain, ctx.config.EXTERNAL_HOST),
      random: new SeededRandom(request.seed),
    }),
  );
  await analyzeFilled(ctx.db);
  return filled;
}

async function fillIn(tx: Transaction, filling: Filling): Promise<FillMessagesResponse> {
  const { requestId, facts, size, past } = filling;
  const { realmId } = facts;
  await endTimeLimit(tx);
  const places = await makePlaces(tx, filling);
  const mentions = await fillWith(tx, filling, places);
  // Others see none of these rows yet, nor do statistics that they make.
  await analyzeFilled(tx);
  const lastMessageId = past?.lastMessageId ?? 0;
  const topics = await updateLatestOfTopics(tx, realmId, lastMessageId);
  const directConversations = await updateLatestOfDirects(tx, realmId, lastMessageId);
  await fillReadState(tx, filling, places);
  await deleteUnwritten(tx, realmId);
  const filled = { messages: size.messages, topics, directConversations, mentions };
  const act = { name: 'fill-messages', actor: { kind: 'operator' as const }, requestId };
  const whole = { kind: 'organization', ids: [realmId], after: filled };
  await announce(tx, messagesFilled(realmId, {}), actPerformed(realmId, { ...act, ...whole }));
  return { realmId, ...filled };
}

async function makePlaces(tx: Transaction, { facts, size, random }: Filling): Promise<Places> {
  const { realmId, people, channels } = facts;
  const topics = planTopics(channels, size, random);
  const directs = planDirects(people, size, random);
  if (channels.length === 0 && directs.length === 0) {
    throw new BadRequestError('There is nobody to write, and no channel: fill the organization first.');
  }
  const topicIds = await insertTopics(tx, realmId, topics.flat());
  const directIds = await insertDirects(tx, realmId, directs);
  const lastVersions = await listLastVersions(tx, realmId);
  return {
    channels: channels.map((channel, rank) => ({
      facts: channel,
      topicIds: topicIds.splice(0, topics[rank]?.length),
      lastVersion: lastVersions.get(channel.id) ?? 0,
    })),
    directs: directs.map((participantIds, index) => ({ id: directIds[index] as number, participantIds })),
    people: new Map(people.map((person) => [person.id, person])),
  };
}

/** Returns the number of messages with mentions. */
async function fillWith(tx: Transaction, filling: Filling, places: Places): Promise<number> {
  const { facts, size, past, nowMs, random } = filling;
  const sinceMs = Math.min(nowMs, Math.max(nowMs - YEAR_MS, past?.lastSentAtMs ?? 0));
  const stepMs = (nowMs - sinceMs) / size.messages;
  const texts = new Texts(filling.realmUrl, random);
  let [planned, mentions] = [0, 0];
  let storing = Promise.resolve();
  for (const batch of inBatches(planMessages(size.messages, places, texts, random))) {
    // A batch is planned while the previous one is stored.
    await storing;
    storing = insertFilledMessages(tx, facts.realmId, { sinceMs: sinceMs + planned * stepMs, stepMs }, batch);
    planned += batch.length;
    mentions += batch.filter(({ mentionedId }) => mentionedId !== null).length;
  }
  await storing;
  return mentions;
}

/** Read state and stars. */
async function fillReadState(tx: Transaction, { facts, size, random }: Filling, places: Places): Promise<void> {
  const { realmId } = facts;
  await insertReaders(tx, realmId, planReaders(places, size.messages, random));
  const marks = planMarks(places, size.messages, random);
  const half = Math.ceil(marks.length / 2);
  await insertExceptions(tx, realmId, marks.slice(0, half));
  await insertStars(tx, realmId, marks.slice(half));
}

function* inBatches(messages: Iterable<PlannedMessage>): Generator<PlannedMessage[]> {
  let batch: PlannedMessage[] = [];
  for (const message of messages) {
    batch.push(message);
    if (batch.length < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
