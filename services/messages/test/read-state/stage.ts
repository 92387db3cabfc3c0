import assert from 'node:assert/strict';
import { type Database, statement, type Transaction } from '@parley/shared/db';
import type { GetChannelsOfReadersRequest, PersonalFlags } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { topicKey } from '@parley/shared/values';
import { z } from 'zod';
import { loadReader } from '../../src/access/load-reader';
import type { Reader } from '../../src/access/permissions';
import type { Context } from '../../src/context';
import { listTopicPoliciesOf } from '../../src/conversations/topic-policies.sql';
import { forgetLeftChannels, readArchivedChannels, readMutedSenders } from '../../src/flags/follow-channels';
import { markAllAsRead, markChannelAsRead, markTopicAsRead } from '../../src/flags/mark-as-read';
import { loadUnreadState } from '../../src/flags/unread-state';
import { updateFlags, updateFlagsInNarrow } from '../../src/flags/update-flags';
import type { MessageRow } from '../../src/messages/message.sql';
import { flagsOf, getPersonalFlags } from '../../src/messages/personal-flags';
import { loadShownMessages, type ShownMessageRow } from '../../src/messages/shown-message.sql';
import { isNot, isUnread as isUnreadFor } from '../../src/narrows/conditions.sql';
import { isMutedByPolicies } from '../../src/narrows/is-muted';
import { EVERYTHING } from '../../src/narrows/narrow';
import { moveReadState } from '../../src/read-state/move-read-state.sql';
import { findAround, NEWEST } from '../../src/search/find-around';
import { findMessages } from '../../src/search/find-messages';
import { findFirstUnreadInEach, findFirstUnreadInPlaces } from '../../src/search/find-messages.sql';
import { term } from '../terms';
import type { Happening } from './history';
import { storeSend } from './messages-table';
import { type ModelMessage, NaiveModel } from './naive-model';
import {
  CHANNEL_IDS,
  channelOf,
  DIRECTS,
  isSubscribed,
  memberSince,
  newWorld,
  readFactsOf,
  setSubscribed,
  TOPICS,
  USER_IDS,
  type World,
  wasSubscribed,
} from './world';

const at = <Item>(list: readonly Item[], index: number): Item => list[index % list.length] as Item;

/** An organization in which each act happens twice: in the real database by the real code, and in the naive model. */
export class Stage {
  private readonly world: World = newWorld();
  private readonly model = new NaiveModel(this.world);
  private readonly ctx: Context;

  constructor(
    private readonly db: Database,
    private readonly realmId: number,
  ) {
    const getReadFacts = async ({ userId }: { userId: number }) => readFactsOf(this.world, realmId, userId);
    const getSubscribers = async (_call: unknown, { channelId }: { channelId: number }) => {
      const { version, intervals } = channelOf(this.world, channelId);
      return { version, subscribers: [...intervals].map(([userId, own]) => ({ userId, intervals: own })) };
    };
    const getChannelsOfReaders = async (_call: unknown, { readers }: GetChannelsOfReadersRequest) => ({
      readers: readers.map(({ userId }) => ({ userId, ...readFactsOf(this.world, realmId, userId) })),
    });
    this.ctx = {
      db,
      readFacts: { load: getReadFacts },
      services: { realm: { getReadFacts, getMarkFacts: getReadFacts, getSubscribers, getChannelsOfReaders } },
    } as unknown as Context;
  }

  async play(happening: Happening): Promise<void> {
    const act = this[happening.kind] as (happening: Happening) => Promise<void>;
    await act.call(this, happening);
  }

  private caller(userId: number) {
    return { ...newCall(), realmId: this.realmId, userId };
  }

  private pickMessages(picks: number[]): ModelMessage[] {
    if (this.model.messages.length === 0) return [];
    return [...new Set(picks.map((pick) => at(this.model.messages, pick * 7)))];
  }

  protected async send(of: Extract<Happening, { kind: 'send' }>): Promise<void> {
    const channelId = at(CHANNEL_IDS, of.channel);
    const { version, isArchived } = channelOf(this.world, channelId);
    if (isArchived) return;
    const mentionedIds = [...new Set(of.mentions.map((pick) => at(USER_IDS, pick)))];
    await this.store({
      channelId,
      version,
      topic: at(TOPICS, of.topic),
      participantIds: [],
      senderId: at(USER_IDS, of.sender),
      isReadBySender: of.isReadBySender,
      mentionedIds,
      isWildcard: of.isWildcard,
    });
  }

  protected async sendDirect(of: Extract<Happening, { kind: 'sendDirect' }>): Promise<void> {
    const participantIds = at(DIRECTS, of.conversation);
    const senderId = at(participantIds, of.sender);
    const rest = { version: 0, topic: '', isReadBySender: of.isReadBySender, mentionedIds: [], isWildcard: false };
    await this.store({ channelId: null, participantIds, senderId, ...rest });
  }

  private async store(sent: Omit<Parameters<typeof storeSend>[1], 'realmId'>): Promise<void> {
    const id = await storeSend(this.db, { ...sent, realmId: this.realmId });
    const { channelId, version, topic, participantIds } = sent;
    const place = channelId === null ? participantIds.join() : topicKey(topic);
    this.model.send({ ...sent, id, sentChannelId: channelId, sentVersion: version, movedVersion: null, place });
  }

  protected async subscribe(of: { user: number; channel: number }): Promise<void> {
    setSubscribed(this.world, at(USER_IDS, of.user), at(CHANNEL_IDS, of.channel), true);
  }

  protected async unsubscribe(of: { user: number; channel: number }): Promise<void> {
    await this.leave(at(USER_IDS, of.user), [at(CHANNEL_IDS, of.channel)]);
  }

  protected async leaveAll(of: { user: number }): Promise<void> {
    await this.leave(at(USER_IDS, of.user), CHANNEL_IDS);
  }

  private async leave(userId: number, channelIds: readonly number[]): Promise<void> {
    const before = this.model.unreadOf(userId);
    const left = channelIds.filter((channelId) => setSubscribed(this.world, userId, channelId, false));
    for (const channelId of left) this.model.leave(userId, channelId);
    const events = left.map((channelId) => {
      const { version } = channelOf(this.world, channelId);
      const payload = { channelId, version, subscribedIds: [], unsubscribedIds: [userId] };
      return { id: '1', realmId: this.realmId, payload } as never;
    });
    await this.announcedAsRead();
    await forgetLeftChannels(this.ctx, events);
    const read = before.filter((message) => this.model.isRead(message, userId)).map(({ id }) => id);
    const announced = await this.announcedAsRead();
    if (left.length > 0) assert.deepEqual(announced, read, `what ${userId} has read by leaving ${left}`);
  }

  /** The messages that events have reported as read since the last call, ascending. */
  private async announcedAsRead(): Promise<number[]> {
    const rows = await this.db.query<{ payload: string }>(
      `delete from outbox where realm_id = $1 and kind = 'flags.changed' returning payload`,
      [this.realmId],
    );
    return rows.flatMap(({ payload }) => JSON.parse(payload).messageIds as number[]).sort((a, b) => a - b);
  }

  protected async muteChannel(of: { user: number; channel: number }): Promise<void> {
    channelOf(this.world, at(CHANNEL_IDS, of.channel)).mutedByIds.add(at(USER_IDS, of.user));
  }

  protected async unmuteChannel(of: { user: number; channel: number }): Promise<void> {
    channelOf(this.world, at(CHANNEL_IDS, of.channel)).mutedByIds.delete(at(USER_IDS, of.user));
  }

  protected async archive(of: { channel: number }): Promise<void> {
    const channelId = at(CHANNEL_IDS, of.channel);
    const channel = channelOf(this.world, channelId);
    if (channel.isArchived) return;
    const before = USER_IDS.flatMap((userId) => this.model.unreadOf(userId));
    channel.isArchived = true;
    this.model.archive(channelId);
    await this.announcedAsRead();
    await this.followArchiving(channelId, true);
    const announced = new Set(await this.announcedAsRead());
    const unannounced = before.filter((message) => message.channelId === channelId && !announced.has(message.id));
    assert.deepEqual(unannounced, [], `what was read by archiving ${channelId}, and not announced`);
  }

  protected async restore(of: { channel: number }): Promise<void> {
    const channelId = at(CHANNEL_IDS, of.channel);
    channelOf(this.world, channelId).isArchived = false;
    await this.followArchiving(channelId, false);
  }

  private async followArchiving(id: number, isArchived: boolean): Promise<void> {
    const payload = { channel: { id, isArchived } };
    await readArchivedChannels(this.ctx, [{ id: '1', realmId: this.realmId, payload } as never]);
  }

  protected async mute(of: { user: number; other: number }): Promise<void> {
    const [userId, otherId] = [at(USER_IDS, of.user), at(USER_IDS, of.other)];
    if (userId !== otherId) this.world.mutedUserIds.get(userId)?.add(otherId);
  }

  protected async unmute(of: { user: number; other: number }): Promise<void> {
    const [userId, mutedUserId] = [at(USER_IDS, of.user), at(USER_IDS, of.other)];
    if (!this.world.mutedUserIds.get(userId)?.delete(mutedUserId)) return;
    this.model.unmute(userId, mutedUserId);
    const payload = { userId, mutedUserId, isMuted: false, mutedUsers: [] };
    await readMutedSenders(this.ctx, [{ id: '1', realmId: this.realmId, payload } as never]);
  }

  protected async decideTopic(of: Extract<Happening, { kind: 'decideTopic' }>): Promise<void> {
    const [userId, channelId, topic] = [at(USER_IDS, of.user), at(CHANNEL_IDS, of.channel), at(TOPICS, of.topic)];
    this.model.policies.set(`${userId} ${channelId} ${topicKey(topic)}`, of.policy);
    const key = [this.realmId, userId, channelId, topicKey(topic)];
    await this.db.query(
      'delete from topic_policy where realm_id = $1 and user_id = $2 and channel_id = $3 and name_key = $4',
      key,
    );
    if (of.policy === 0) return;
    await this.db.query(
      `insert into topic_policy (realm_id, user_id, channel_id, name_key, name, policy, updated_at)
       values ($1, $2, $3, $4, $5, $6, now())`,
      [...key, topic, of.policy],
    );
  }

  protected async flag(of: Extract<Happening, { kind: 'flag' }>): Promise<void> {
    const userId = at(USER_IDS, of.user);
    const messages = this.pickMessages(of.messages);
    this.model.changeFlag(userId, messages, of.op, of.flag);
    const messageIds = messages.map(({ id }) => id);
    await refusable(updateFlags(this.ctx, this.caller(userId), { messageIds, op: of.op, flag: of.flag }));
  }

  protected async markAll(of: { user: number }): Promise<void> {
    const userId = at(USER_IDS, of.user);
    this.model.markAllRead(userId);
    await markAllAsRead(this.ctx, this.caller(userId));
  }

  protected async markChannel(of: { user: number; channel: number }): Promise<void> {
    const [userId, channelId] = [at(USER_IDS, of.user), at(CHANNEL_IDS, of.channel)];
    this.model.markRead(userId, (message) => message.channelId === channelId);
    await refusable(markChannelAsRead(this.ctx, this.caller(userId), { channelId }));
  }

  protected async markTopic(of: { user: number; channel: number; topic: number }): Promise<void> {
    const [userId, channelId, topic] = [at(USER_IDS, of.user), at(CHANNEL_IDS, of.channel), at(TOPICS, of.topic)];
    const inTopic = (message: ModelMessage) => message.channelId === channelId && message.place === topicKey(topic);
    const isOwn = this.model.messages.some((message) => inTopic(message) && this.model.rowOf(message, userId).isOwn);
    if (isOwn) this.model.markRead(userId, inTopic);
    await refusable(markTopicAsRead(this.ctx, this.caller(userId), { channelId, topic }));
  }

  /** From an anchor on, in both directions. */
  protected async markNarrow(of: Extract<Happening, { kind: 'markNarrow' }>): Promise<void> {
    const [userId, channelId, topic] = [at(USER_IDS, of.user), at(CHANNEL_IDS, of.channel), at(TOPICS, of.topic)];
    const terms = [term('channel', { id: channelId }), term('topic', { text: topic })];
    const [anchor] = this.pickMessages([of.anchor]);
    const around = { ...(anchor ? { anchor: anchor.id } : { anchorKind: 'oldest' }), includeAnchor: true };
    const range = { ...around, numBefore: of.before, numAfter: of.after, narrow: terms.slice(0, of.terms) };
    const request = { ...range, op: 'add', flag: 'read' };
    const marked = await updateFlagsInNarrow(this.ctx, this.caller(userId), request);
    const { firstProcessedId = 0, lastProcessedId = 0 } = marked;
    const isMeant = (message: ModelMessage) =>
      (of.terms < 1 || message.channelId === channelId) && (of.terms < 2 || message.place === topicKey(topic));
    const expected = this.model.markRange(userId, isMeant, [firstProcessedId, lastProcessedId], of.terms === 2);
    assert.equal(marked.updatedCount, expected, `marked as read by ${userId} with ${of.terms} terms`);
  }

  /** Some messages of one topic to another one. */
  protected async move(of: { messages: number[]; channel: number; topic: number }): Promise<void> {
    const [first, ...others] = this.pickMessages(of.messages).filter(({ channelId }) => channelId !== null);
    if (!first) return;
    const moved = [first, ...others.filter((other) => isSamePlace(other, first))];
    await this.relocate(moved, at(CHANNEL_IDS, of.channel), at(TOPICS, of.topic));
  }

  protected async moveTopic(of: { from: number; channel: number; topic: number }): Promise<void> {
    const [first] = this.pickMessages([of.from]).filter(({ channelId }) => channelId !== null);
    if (!first) return;
    const moved = this.model.messages.filter((message) => isSamePlace(message, first));
    await this.relocate(moved, at(CHANNEL_IDS, of.channel), at(TOPICS, of.topic));
  }

  private async relocate(moved: ModelMessage[], channelId: number, topic: string): Promise<void> {
    const [first] = moved as [ModelMessage, ...ModelMessage[]];
    const isElsewhere = first.channelId !== channelId;
    if (!isElsewhere && first.place === topicKey(topic)) return;
    const isFixed = [first.channelId as number, channelId].some((id) => channelOf(this.world, id).isArchived);
    if (isFixed) return;
    const { version } = channelOf(this.world, channelId);
    const from = {
      conversationId: await this.topicId(first.channelId as number, first.place),
      channelId: first.channelId as number,
    };
    const ids = moved.map(({ id }) => id);
    await this.db.transaction(async (tx) => {
      const to = { conversationId: await holdTopic(tx, this.realmId, channelId, topic, Math.max(...ids)), channelId };
      await moveReadState(tx, { realmId: this.realmId, messageIds: ids, from, to });
      await tx.query(
        `update message set conversation_id = $3, channel_id = $4,
           moved_version = case when $4 = sent_channel_id then null when $6 then $5 else moved_version end
         where realm_id = $1 and id = any($2::bigint[])`,
        [this.realmId, ids, to.conversationId, channelId, version, isElsewhere],
      );
    });
    for (const message of moved) {
      if (isElsewhere) message.movedVersion = message.sentChannelId === channelId ? null : version;
      message.channelId = channelId;
      message.place = topicKey(topic);
    }
  }

  private async topicId(channelId: number, key: string): Promise<number> {
    const [row] = await this.db.query<{ id: number }>(
      'select id from topic where realm_id = $1 and channel_id = $2 and name_key = $3',
      [this.realmId, channelId, key],
    );
    return (row as { id: number }).id;
  }

  protected async delete(of: { messages: number[] }): Promise<void> {
    const ids = this.pickMessages(of.messages).map(({ id }) => id);
    await this.db.transaction(async (tx) => {
      await tx.query('delete from personal_flag where realm_id = $1 and message_id = any($2::bigint[])', [
        this.realmId,
        ids,
      ]);
      await tx.query('delete from message where realm_id = $1 and id = any($2::bigint[])', [this.realmId, ids]);
    });
    const kept = this.model.messages.filter(({ id }) => !ids.includes(id));
    this.model.messages.splice(0, this.model.messages.length, ...kept);
  }

  /** Throws if the two sides differ. */
  async compare(): Promise<void> {
    for (const userId of USER_IDS) {
      const reader = await loadReader(this.ctx, this.caller(userId));
      await this.compareFlags(userId, reader);
      const unread = this.model.unreadOf(userId);
      await this.compareUnreadFound(reader, unread);
      await this.compareEachUnread(reader, unread);
      assert.deepEqual(
        await loadUnreadState(this.db, reader, await listTopicPoliciesOf(this.db, reader.realm.id, userId)),
        this.expectedState(unread, userId),
        `unread of ${userId}`,
      );
    }
  }

  /** Compares GET /messages with is:unread, and from the first unread message that is not muted. */
  private async compareUnreadFound(reader: Reader, unread: ModelMessage[]): Promise<void> {
    const { userId } = reader;
    const own = unread.filter((message) => this.model.rowOf(message, userId).isOwn);
    const isUnread = { reader, narrow: { ...EVERYTHING, isUnread: true } };
    const all = { realmId: this.realmId, direction: 'after', fromId: 0, limit: own.length + 1 } as const;
    const idsOf = (messages: ModelMessage[]) => messages.map(({ id }) => id);
    assert.deepEqual(await findMessages(this.ctx, isUnread, all), idsOf(own), `is:unread of ${userId}`);
    const around = { anchorKind: 'first_unread', numBefore: 0, numAfter: 0, includeAnchor: false };
    const { range } = await findAround(this.ctx, around, { reader, narrow: EVERYTHING });
    const [first] = own.filter((message) => !this.model.isMuted(message, userId));
    assert.equal(range.anchor, first?.id ?? NEWEST, `first unread of ${userId}`);
    const isHeard = isNot(isMutedByPolicies(reader, false));
    const inEach = await findFirstUnreadInEach(this.db, { reader, narrow: EVERYTHING }, isHeard);
    assert.equal(inEach, first?.id ?? null, `first unread of ${userId} in each place`);
    const ofMany = await findFirstUnreadInPlaces(this.db, { reader, narrow: EVERYTHING }, isHeard, 0);
    assert.equal(ofMany, first?.id ?? null, `first unread of ${userId} as of a reader of many channels`);
  }

  /** Compares the read state of each single message. */
  private async compareEachUnread(reader: Reader, unread: ModelMessage[]): Promise<void> {
    const values: unknown[] = [];
    const isUnread = isUnreadFor(reader)((value, type) => `$${values.push(value)}::${type}`);
    const text = `select id from message m where realm_id = $1 and ${isUnread} order by id`;
    const rows = await this.db.query(statement(text, { id: z.number() }), values);
    const expected = unread.map(({ id }) => id);
    assert.deepEqual(
      rows.map(({ id }) => id),
      expected,
      `unread of ${reader.userId}, one by one`,
    );
  }

  private async compareFlags(userId: number, reader: Reader): Promise<void> {
    const ids = this.model.messages.map(({ id }) => id);
    const rows = await loadShownMessages(this.db, this.realmId, ids, userId);
    const flags = rows.map((row) => [row.id, flagsOf(row, reader, row.stored)] as const);
    const expected = this.model.messages.map((message) => [message.id, this.model.flagsOf(message, userId)] as const);
    assert.deepEqual(new Map([...flags].sort(byId)), new Map([...expected].sort(byId)), `flags of ${userId}`);
    await this.comparePersonalFlags(rows, reader);
  }

  /** Compares the flags in a delivered edit: from the stored flags, mutes and, in channels that are not archived, subscriptions. */
  private async comparePersonalFlags(rows: readonly ShownMessageRow[], reader: Reader): Promise<void> {
    const { userId } = reader;
    const used = rows.filter(({ channelId }) => channelId === null || !channelOf(this.world, channelId).isArchived);
    const questions = used.map(({ id }) => ({ realmId: this.realmId, messageId: id, userId }));
    const { flags } = await getPersonalFlags(this.ctx, { questions });
    const announced = used.map((row, index) => {
      const { isRead, isStarred, isCollapsed, isMarkedUnread = false } = flags[index] as PersonalFlags;
      const { isReceived, isThere, isLasting } = this.copyOf(row, userId);
      const isUnread = isThere && (isMarkedUnread || (isLasting && !isRead)) && !reader.mutedUserIds.has(row.senderId);
      const isMentioned = isReceived && row.mentionsReader;
      return { isRead: !isUnread, isStarred, isCollapsed, isMentioned };
    });
    const expected = used.map((row) => {
      const own = flagsOf(row, reader, row.stored);
      return {
        isRead: own.includes('read'),
        isStarred: own.includes('starred'),
        isCollapsed: own.includes('collapsed'),
        isMentioned: own.includes('mentioned'),
      };
    });
    assert.deepEqual(announced, expected, `flags of ${userId} on edits`);
  }

  /** A user's access to a message by the versions in the audience of an edit (`receivedAt`, `place`). */
  private copyOf({ channelId, sentChannelId, sentVersion, movedVersion, participantIds }: MessageRow, userId: number) {
    if (channelId === null || sentChannelId === null) {
      const isReceived = participantIds?.includes(userId) === true;
      return { isReceived, isThere: true, isLasting: isReceived };
    }
    const received = [
      { at: sentChannelId, version: sentVersion as number },
      ...(channelId === sentChannelId ? [] : [{ at: channelId, version: movedVersion as number }]),
    ];
    return {
      isReceived: received.every(({ at, version }) => wasSubscribed(this.world, userId, at, version)),
      isThere: isSubscribed(this.world, userId, channelId),
      isLasting: received.every(({ at, version }) => memberSince(this.world, userId, at) <= version),
    };
  }

  private expectedState(unread: ModelMessage[], userId: number) {
    const places = new Map<string, ModelMessage[]>();
    for (const message of unread) {
      const key = `${message.channelId ?? 'direct'} ${message.place}`;
      places.set(key, [...(places.get(key) ?? []), message]);
    }
    const groups = [...places.values()] as [ModelMessage, ...ModelMessage[]][];
    const idsOf = (messages: ModelMessage[]) => messages.map(({ id }) => id);
    const isHeard = (message: ModelMessage) => !this.model.isMuted(message, userId);
    const mentions = unread.filter((message) => {
      const isPersonal = message.mentionedIds.includes(userId);
      return this.model.isForUser(message, userId) && (isPersonal || (message.isWildcard && isHeard(message)));
    });
    return {
      count: unread.filter(isHeard).length,
      directs: groups
        .filter(([{ channelId }]) => channelId === null)
        .map((messages) => ({ participantIds: messages[0].participantIds, messageIds: idsOf(messages) }))
        .sort((a, b) => compareLists(a.participantIds, b.participantIds)),
      topics: groups
        .filter(([{ channelId }]) => channelId !== null)
        .sort(([a], [b]) => (a.channelId as number) - (b.channelId as number) || (a.place < b.place ? -1 : 1))
        .map((messages) => {
          const topic = TOPICS.find((name) => topicKey(name) === messages[0].place);
          return { channelId: messages[0].channelId, topic, messageIds: idsOf(messages) };
        }),
      mentionIds: idsOf(mentions),
      hasOlder: false,
    };
  }
}

const byId = ([a]: readonly [number, unknown], [b]: readonly [number, unknown]) => a - b;

function compareLists(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, position) => value !== b[position]);
  return index === -1 ? a.length - b.length : (a[index] as number) - (b[index] ?? Number.NEGATIVE_INFINITY);
}

function isSamePlace(a: ModelMessage, b: ModelMessage): boolean {
  return a.channelId === b.channelId && a.place === b.place;
}

async function holdTopic(
  tx: Transaction,
  realmId: number,
  channelId: number,
  topic: string,
  maxId: number,
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into topic as t (realm_id, channel_id, name, name_key, max_message_id) values ($1, $2, $3, $4, $5)
     on conflict (realm_id, channel_id, name_key) do update set max_message_id = greatest(t.max_message_id, excluded.max_message_id)
     returning id`,
    [realmId, channelId, topic, topicKey(topic), maxId],
  );
  return (row as { id: number }).id;
}

/** The service may refuse; then nothing must have changed, which the comparison checks. */
async function refusable(work: Promise<unknown>): Promise<void> {
  await work.catch((error: { code?: unknown }) => {
    if (error.code !== 'BAD_REQUEST') throw error;
  });
}
