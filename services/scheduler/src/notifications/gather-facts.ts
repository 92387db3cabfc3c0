import { Slices } from '@parley/shared/batch';
import type { ConsumedEvent } from '@parley/shared/bus';
import type { MentionsChanged, MessageSent } from '@parley/shared/events';
import type { AlertWordsOfRealm, MessageToNotify, PeopleToNotify } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { topicKey } from '@parley/shared/values';
import { TOPIC_POLICY } from '../base/who-is-notified';
import type { Context } from '../context';
import type { AlertIndex } from './alert-index';
import type { AlertWords, KnownWords } from './alert-words';

/** A new message, or one whose mentions were edited. */
export type SentEvent = ConsumedEvent<MessageSent | MentionsChanged>;

/** A message with what its organization and its readers say about it. */
export interface GatheredMessage {
  event: SentEvent;
  senderId: number;
  alertedIds: ReadonlySet<number>;
  /** Users' policies for the topic. */
  policies: ReadonlyMap<number, number>;
  people: PeopleToNotify;
}

type Needed = Pick<Context, 'services'> & { alertWords: AlertWords };

/**
 * The facts about messages, with one call to each service; with a second one to realm when alert words have changed. People without
 * any reason to be notified are in no answer.
 */
export async function gatherFacts(ctx: Needed, events: readonly SentEvent[]): Promise<GatheredMessage[]> {
  const policies = await gatherPolicies(ctx, events);
  // Others may adopt later ones meanwhile: the version goes with the words in which the messages were looked for.
  const words = new Map(events.map(({ realmId }) => [realmId, ctx.alertWords.of(realmId)]));
  const alerted = await alertedOf(events, (realmId) => (words.get(realmId) as KnownWords).index);
  const known = [...words.values()].map((each) => each.known);
  const asked = events.map((event) => askedOf(event, alerted, policies));
  const answer = await ctx.services.realm.getNotificationFacts(newCall(), { messages: asked, alertWords: known });
  const gathered = events.map((event, index) => ({
    event,
    senderId: senderIdOf(event),
    alertedIds: alerted.get(event) ?? NOBODY,
    policies: policies.get(topicOf(event)) ?? NO_POLICIES,
    people: answer.people[index] as PeopleToNotify,
  }));
  if (answer.alertWords.length === 0) return gathered;
  const adopt = (change: AlertWordsOfRealm) => ctx.alertWords.adopt(change, words.get(change.realmId) as KnownWords);
  return withChangedWords(ctx, gathered, new Map(answer.alertWords.map((change) => [change.realmId, adopt(change)])));
}

/** Asks realm again, for messages of organizations whose alert words have changed. */
async function withChangedWords(
  ctx: Needed,
  gathered: readonly GatheredMessage[],
  indexes: ReadonlyMap<number, AlertIndex>,
): Promise<GatheredMessage[]> {
  const stale = gathered.filter(({ event }) => indexes.has(event.realmId));
  const events = stale.map(({ event }) => event);
  const alerted = await alertedOf(events, (realmId) => indexes.get(realmId) as AlertIndex);
  const changed = stale.filter(({ event, alertedIds }) => !areSame(alertedIds, alerted.get(event) ?? NOBODY));
  if (changed.length === 0) return [...gathered];
  const messages = changed.map(({ event, policies }) => askedOf(event, alerted, new Map([[topicOf(event), policies]])));
  const { people } = await ctx.services.realm.getNotificationFacts(newCall(), { messages, alertWords: [] });
  const renewed = new Map(changed.map(({ event }, index) => [event, people[index] as PeopleToNotify]));
  return gathered.map((each) => {
    const { event } = each;
    const found = renewed.get(event);
    return found ? { ...each, people: found, alertedIds: alerted.get(event) ?? NOBODY } : each;
  });
}

const NOBODY: ReadonlySet<number> = new Set();
const NO_POLICIES: ReadonlyMap<number, number> = new Map();

const areSame = (one: ReadonlySet<number>, other: ReadonlySet<number>) =>
  one.size === other.size && [...one].every((id) => other.has(id));

export function senderIdOf({ payload }: SentEvent): number {
  return (payload.message.sender as { id: number }).id;
}

function topicOf({ realmId, payload: { message } }: SentEvent): string {
  return `${realmId} ${message.channelId} ${topicKey(message.topic)}`;
}

/** The users with a policy for each topic, by the topic. */
async function gatherPolicies({ services }: Needed, events: readonly SentEvent[]) {
  const asked = new Map(
    events.flatMap((event) => {
      const { realmId, payload } = event;
      const { channelId, topic } = payload.message;
      return channelId === undefined ? [] : [[topicOf(event), { realmId, channelId, topic }] as const];
    }),
  );
  if (asked.size === 0) return new Map<string, ReadonlyMap<number, number>>();
  const { topics } = await services.messages.getPoliciesOfTopics(newCall(), { topics: [...asked.values()] });
  return new Map(
    [...asked.keys()].map((key, index) => {
      const { userIds = [], policies = [] } = topics[index] ?? {};
      return [key, new Map(userIds.map((userId, at) => [userId, policies[at] as number]))] as const;
    }),
  );
}

/** The users with an alert word in each message. */
async function alertedOf(
  events: readonly SentEvent[],
  indexOf: (realmId: number) => AlertIndex,
): Promise<ReadonlyMap<SentEvent, ReadonlySet<number>>> {
  const slices = new Slices(Number.POSITIVE_INFINITY);
  const alerted = new Map<SentEvent, ReadonlySet<number>>();
  for (const event of events) {
    const { content, sentAtMs } = event.payload.message;
    alerted.set(event, indexOf(event.realmId).find(content, sentAtMs));
    await slices.pause();
  }
  return alerted;
}

function askedOf(
  event: SentEvent,
  alerted: ReadonlyMap<SentEvent, ReadonlySet<number>>,
  policies: ReadonlyMap<string, ReadonlyMap<number, number>>,
): MessageToNotify {
  const { realmId, payload } = event;
  const { message, mentionedIds, topicParticipantIds = [], subscriptionVersion = 0 } = payload;
  const { channelId, participants } = message;
  const followers = [...(policies.get(topicOf(event)) ?? [])].flatMap(([userId, policy]) =>
    policy === TOPIC_POLICY.followed ? [userId] : [],
  );
  const named =
    channelId === undefined
      ? participants.map(({ id }) => id)
      : [...mentionedIds, ...topicParticipantIds, ...followers, ...(alerted.get(event) ?? NOBODY)];
  return {
    ...{ realmId, senderId: senderIdOf(event), version: subscriptionVersion },
    ...(channelId !== undefined && { channelId }),
    mentionsAll: channelId !== undefined && mentionsEverybody(payload),
    namedIds: [...new Set(named)],
  };
}

/** A mention of the topic without a list of participants includes everybody, like one of the channel. */
export function mentionsEverybody({
  mentionsChannel,
  mentionsTopic,
  topicParticipantIds = [],
}: SentEvent['payload']): boolean {
  return mentionsChannel || (mentionsTopic && topicParticipantIds.length === 0);
}
