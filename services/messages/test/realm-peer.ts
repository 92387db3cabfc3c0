import { UnauthorizedError } from '@parley/shared/errors';
import {
  type AlertWordSince,
  type Channel,
  type ChannelReadFacts,
  type ChannelSendFacts,
  type CustomEmoji,
  type DirectSendFacts,
  type FillFacts,
  type GetChannelsOfReadersRequest,
  type GetMarkFactsRequest,
  type GetReadFactsRequest,
  type GetSubscribersResponse,
  type GetTypingAudienceRequest,
  type Group,
  type ListOutsideReadersRequest,
  loadService,
  type MarkFacts,
  type Organization,
  type ReaderChannelIds,
  type ReaderChannels,
  type ReadFacts,
  type ReceiptCandidate,
  type ReceiptQuery,
  type SendFacts,
  type SendFactsQuery,
  type TypingAudience,
  type User,
  type VersionInterval,
} from '@parley/shared/proto';
import {
  byCaller,
  type CallCredential,
  type Caller,
  type Implementation,
  newCall,
  type RpcServer,
  serve,
} from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { BOT_TYPES, type UserSettings, VISITOR_ID } from '@parley/shared/values';
import { editFactsOf, noSpecialRights, type PeerRights, retentionOf } from './edit-facts';

/** A channel in the peer, with all users' intervals, and the permitted senders, if restricted. */
export interface PeerChannel extends Channel {
  intervals: Map<number, VersionInterval[]>;
  senderIds?: number[];
  topicCreatorIds?: number[];
  mutedByIds: Set<number>;
}

/** A substitute for the realm service in this service's tests: the contract of realm.proto over plain facts in memory. */
export interface RealmPeer extends RpcServer {
  realm: Organization;
  users: User[];
  groups: Group[];
  channels: PeerChannel[];
  /** Muted users, and alert words, by user id. */
  mutedUserIds: Map<number, number[]>;
  alertWords: Map<number, AlertWordSince[]>;
  /** Settings by user id. */
  settings: Map<number, Partial<UserSettings>>;
  customEmoji: CustomEmoji[];
  /** Users who may not mention many at once. */
  mentionersOfFew: Set<number>;
  /** Rights in direct messages that differ from the default. */
  directRights: Partial<DirectSendFacts>;
  rights: PeerRights;
  /** Calls of getSendFacts and the questions in them. */
  sendFactsCalls: number[];
  /** Calls of getReadFacts and the channels in their answers. */
  readFactsCalls: number[];
  /** Calls of getChannelsOfReaders and the readers in their questions. */
  readersCalls: number[];
  /** Calls that the deletion of expired messages makes, and the channels in each. */
  retentionCalls: { method: string; channels: number }[];
  /** Runs between the facts for marks and their use. */
  meanwhile: { afterReadFacts: () => Promise<void> };
  addUser(name: string, facts?: Partial<User>): User;
  addChannel(name: string, facts?: Partial<PeerChannel>): PeerChannel;
  subscribe(channel: PeerChannel, ...users: User[]): void;
  unsubscribe(channel: PeerChannel, ...users: User[]): void;
}

export async function startRealmPeer(realmId = 1): Promise<RealmPeer> {
  const realm: Organization = {
    id: realmId,
    subdomain: '',
    name: 'Test',
    description: '',
    renderedDescription: '',
    isDeactivated: false,
    topicsPolicy: 'allow_empty_topic',
    createdAtMs: 0,
    settings: '{}',
    images: [],
    hasLdap: false,
  };
  const facts = {
    realm,
    users: [] as User[],
    groups: [] as Group[],
    channels: [] as PeerChannel[],
    mutedUserIds: new Map<number, number[]>(),
    alertWords: new Map<number, AlertWordSince[]>(),
    settings: new Map<number, Partial<UserSettings>>(),
    customEmoji: [] as CustomEmoji[],
    mentionersOfFew: new Set<number>(),
    directRights: {},
    rights: noSpecialRights(),
  };
  const calls: Calls = {
    sendFactsCalls: [],
    readFactsCalls: [],
    readersCalls: [],
    retentionCalls: [],
    meanwhile: { afterReadFacts: async () => {} },
  };
  const server = await serve({
    service: 'realm',
    implementation: implementationOf(facts, calls),
    confirmation: { confirm: async ({ credential }) => refuseRevoked(credential) },
    address: '127.0.0.1:0',
    log: silentLogger,
  });
  return {
    ...facts,
    ...server,
    ...calls,
    addUser: (name, more) => pushed(facts.users, exampleUser(realmId, facts.users.length + 1, name, more)),
    addChannel: (name, more) => pushed(facts.channels, exampleChannel(facts.channels.length + 1, name, more)),
    subscribe(channel, ...users) {
      channel.subscriptionVersion += 1;
      for (const { id } of users) {
        const earlier = channel.intervals.get(id) ?? [];
        channel.intervals.set(id, [...earlier, { fromVersion: channel.subscriptionVersion }]);
      }
    },
    unsubscribe(channel, ...users) {
      channel.subscriptionVersion += 1;
      for (const { id } of users) {
        const last = channel.intervals.get(id)?.at(-1);
        if (last) last.toVersion = channel.subscriptionVersion;
      }
    },
  };
}

function refuseRevoked({ apiKeyId }: CallCredential): void {
  if (apiKeyId === REVOKED_KEY_ID) throw new UnauthorizedError('Invalid API key');
}

type PeerFacts = Pick<
  RealmPeer,
  | 'realm'
  | 'users'
  | 'groups'
  | 'channels'
  | 'mutedUserIds'
  | 'alertWords'
  | 'settings'
  | 'customEmoji'
  | 'mentionersOfFew'
  | 'directRights'
  | 'rights'
>;

type Calls = Pick<RealmPeer, 'sendFactsCalls' | 'readFactsCalls' | 'readersCalls' | 'retentionCalls' | 'meanwhile'>;

function implementationOf(
  facts: PeerFacts,
  { sendFactsCalls, readFactsCalls, readersCalls, retentionCalls, meanwhile }: Calls,
): Implementation<'realm'> {
  const refuse = () => Promise.reject(new Error('not part of these tests'));
  const methods = Object.keys(loadService('realm')).map((name) => name.charAt(0).toLowerCase() + name.slice(1));
  const answers: Partial<Implementation<'realm'>> = {
    getUsers: async (_call, { userIds }) => ({ users: facts.users.filter(({ id }) => userIds.includes(id)) }),
    listCustomEmoji: async () => ({ emoji: facts.customEmoji }),
    getReadFacts: byCaller(async (caller, request) => {
      const answer = structuredClone(readFactsOf(facts, caller, request));
      readFactsCalls.push(answer.channels.length);
      await meanwhile.afterReadFacts();
      return answer;
    }),
    getMarkFacts: byCaller(async (caller, request) => structuredClone(markFactsOf(facts, caller, request))),
    // Nobody gets leases of facts that tests change by themselves.
    holdLeases: async () => ({}),
    getChannelsOfReaders: async (_call, request) => {
      readersCalls.push(request.readers.length);
      return { readers: request.readers.map((reader) => readerOf(facts, reader, request)) };
    },
    getEditFacts: byCaller(async (caller, request) => {
      const read = (reader: Caller) => readFactsOf(facts, reader, {});
      return editFactsOf(facts, { read, send: (query) => sendFactsOf(facts, query) }, caller, request);
    }),
    listRetention: async () => {
      retentionCalls.push({ method: 'listRetention', channels: facts.channels.length });
      return retentionOf(facts);
    },
    listChannelKinds: async (_call, { channelIds }) => {
      retentionCalls.push({ method: 'listChannelKinds', channels: channelIds.length });
      return { channels: facts.channels.filter(({ id }) => channelIds.includes(id)) };
    },
    listOutsideReaders: async (_call, request) => {
      retentionCalls.push({ method: 'listOutsideReaders', channels: request.channelIds.length });
      return outsideReadersOf(facts, request);
    },
    getSubscribers: async (_call, { channelId }) => subscribersOf(facts, channelId),
    getFillFacts: async () => fillFactsOf(facts),
    getTypingAudience: async (_call, request) => typingAudienceOf(facts, request),
    getSendFacts: async (_call, { queries }) => {
      if (JSON.stringify(queries).includes('\\u0000')) throw new Error('PostgreSQL takes no null bytes');
      sendFactsCalls.push(queries.length);
      return { facts: queries.map((query) => sendFactsOf(facts, query)) };
    },
  };
  const refusals = Object.fromEntries(methods.map((name) => [name, refuse]));
  return { ...refusals, ...answers } as Implementation<'realm'>;
}

function isIn({ intervals }: PeerChannel, userId: number): boolean {
  return intervals.get(userId)?.some(({ toVersion }) => toVersion === undefined) === true;
}

function readerOf(
  facts: PeerFacts,
  { userId, channelIds: ids }: ReaderChannelIds,
  { realmId, withOwn = false }: GetChannelsOfReadersRequest,
): ReaderChannels {
  const { channels, mutedUserIds, reader } = readFactsOf(
    facts,
    { ...newCall(), realmId, userId },
    { channels: { ids, withOwn } },
  );
  if (!withOwn) return { userId, channels, mutedUserIds: [] };
  return { userId, channels, mutedUserIds, isActive: reader?.isActive === true };
}

/** A right to subscribe includes reading. */
function outsideReadersOf({ channels, rights }: PeerFacts, { channelIds, userIds }: ListOutsideReadersRequest) {
  const readers = channels.flatMap((channel) => {
    const reads = ([userId, names]: [number, string[]]) =>
      names.includes('can_subscribe_group') &&
      !isIn(channel, userId) &&
      (userIds.includes(userId) || channel.intervals.has(userId));
    if (!channel.isPrivate || !channelIds.includes(channel.id)) return [];
    const found = [...rights.grantedInChannels].filter(reads);
    return found.map(([userId]) => ({ channelId: channel.id, userId, intervals: channel.intervals.get(userId) ?? [] }));
  });
  return { readers };
}

function subscribersOf({ channels }: PeerFacts, channelId: number): GetSubscribersResponse {
  const channel = channels.find(({ id }) => id === channelId);
  const subscribers = [...(channel?.intervals ?? [])].map(([userId, intervals]) => ({ userId, intervals }));
  return { version: channel?.subscriptionVersion ?? 0, subscribers };
}

function typingAudienceOf(
  { channels, settings }: PeerFacts,
  { channelId, userIds }: GetTypingAudienceRequest,
): TypingAudience {
  const channel = channels.find(({ id }) => id === channelId);
  const ids = [...userIds, ...(channel?.intervals.keys() ?? [])];
  const unwillingIds = ids.filter((id) => settings.get(id)?.receives_typing_notifications === false);
  return { subscriberCount: channel?.subscriberCount ?? 0, unwillingIds: [...new Set(unwillingIds)] };
}

function fillFactsOf({ realm, users, channels }: PeerFacts): FillFacts {
  const joined = channels.filter(({ intervals }) => intervals.size > 0);
  return {
    realmId: realm.id,
    people: users.filter(({ isActive, isBot }) => isActive && !isBot),
    channels: joined.map(({ id, subscriptionVersion, intervals }) => ({
      id,
      subscriptionVersion,
      intervals: [...intervals].flatMap(([userId, own]) => own.map((interval) => ({ userId, ...interval }))),
    })),
  };
}

/** The key id of a revoked credential. */
export const REVOKED_KEY_ID = 13;

export const NOTIFICATION_BOT_ID = 9_001;

const ALL_DIRECT_RIGHTS = { areRecipientsKnown: true, isDisabled: false, isAuthorized: true, mayInitiate: true };

function sendFactsOf(facts: PeerFacts, query: SendFactsQuery): SendFacts {
  const { realm, users, groups, channels, settings, customEmoji, mentionersOfFew, directRights } = facts;
  const followsMentions = (id: number) => settings.get(id)?.automatically_follow_topics_where_mentioned === true;
  const sender = users.find(({ id }) => id === query.senderId) ?? null;
  const emails = query.recipientEmails.map((email) => email.toLowerCase());
  const channelName = query.channelName?.toLowerCase();
  const channel = channels.find(({ id, name }) => id === query.channelId || name.toLowerCase() === channelName);
  const named = (names: string[], name: string, id: number) =>
    names.some((written) => [name, `${name}|${id}`, `|${id}`].includes(written));
  return {
    realm,
    sender,
    channel: channel && sender ? channelSendFactsOf(channel, sender) : null,
    recipients: users.filter(({ id, email }) => query.recipientIds.includes(id) || emails.includes(email)),
    mentionedUsers: users.filter(({ id, fullName }) => named(query.mentionedNames, fullName, id)),
    mentionedGroups: groups.filter(({ name }) => query.mentionedGroupNames.includes(name)),
    linkedChannels: channels.filter(
      (linked) =>
        query.linkedChannelNames.includes(linked.name) && (linked === channel || !(sender && isHidden(linked, sender))),
    ),
    isCredentialGood: query.credential?.apiKeyId !== REVOKED_KEY_ID,
    linkifiers: [{ id: 1, pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://tickets.example/{id}' }],
    senderSettings: JSON.stringify(settings.get(query.senderId) ?? {}),
    customEmoji: customEmoji.filter(({ name }) => query.emojiNames.includes(name)),
    mayMentionMany: !mentionersOfFew.has(query.senderId),
    direct: channel ? null : { ...ALL_DIRECT_RIGHTS, ...directRights },
    mentionFollowerIds: users.filter(({ id, isBot }) => !isBot && followsMentions(id)).map(({ id }) => id),
    calledBotIds: users
      .filter(({ id, botType }) => botType === BOT_TYPES.generic && channel && !channel.isPrivate && !isIn(channel, id))
      .map(({ id }) => id),
    typingAudience: query.tellsTyping
      ? typingAudienceOf(facts, {
          ...(channel && { channelId: channel.id }),
          userIds: channel ? [] : [...query.recipientIds, query.senderId],
        })
      : null,
    ...(sender?.isBot &&
      (!channel?.subscriberCount || isHidden(channel, sender)) && { notificationBotId: NOTIFICATION_BOT_ID }),
  };
}

function channelSendFactsOf(channel: PeerChannel, sender: User): ChannelSendFacts {
  return {
    channel,
    isSenderSubscribed: isSubscribed(channel, sender),
    isInSendGroup: channel.senderIds?.includes(sender.id) ?? true,
    hasContentAccess: hasContentAccess(channel, sender) || isReachedByOwner(channel, sender),
    isReachedByOwnerOnly: isReachedByOwner(channel, sender) && !hasContentAccess(channel, sender),
    isHidden: isHidden(channel, sender),
    isMuted: channel.mutedByIds.has(sender.id),
    mayCreateTopics: channel.topicCreatorIds?.includes(sender.id) ?? true,
    isHistoryProtected: channel.isPrivate && !channel.isHistoryPublic,
    seenIntervals: channel.intervals.get(sender.id) ?? [],
  };
}

function readFactsOf(
  facts: PeerFacts,
  { userId }: Caller,
  { receipts, channels: scope }: GetReadFactsRequest,
): ReadFacts {
  const { realm, users, channels, mutedUserIds, alertWords, settings } = facts;
  if (userId === VISITOR_ID) return visitorFactsOf(facts);
  const reader = users.find(({ id }) => id === userId) as User;
  const isKnown = (channel: PeerChannel) => hasContentAccess(channel, reader) || channel.intervals.has(userId);
  const isAsked = ({ id, intervals }: PeerChannel) =>
    !scope || scope.ids.includes(id) || (scope.withOwn === true && intervals.has(userId));
  return {
    realm,
    reader,
    channels: channels
      .filter((channel) => isAsked(channel) && isKnown(channel))
      .map((channel) => channelReadFactsOf(channel, reader)),
    mutedUserIds: mutedUserIds.get(userId) ?? [],
    alertWords: alertWords.get(userId) ?? [],
    receiptCandidates: receipts ? receiptCandidatesOf(facts, receipts, userId) : [],
    readerSettings: JSON.stringify(settings.get(userId) ?? {}),
  };
}

function markFactsOf(facts: PeerFacts, caller: Caller, { channelIds: ids, reaction }: GetMarkFactsRequest): MarkFacts {
  const { reader, channels, mutedUserIds, readerSettings } = readFactsOf(facts, caller, { channels: { ids } });
  if (!reaction) return { channels, mutedUserIds, customEmoji: [], outsideReaders: [] };
  const { id, email, fullName, isBot } = reader as User;
  const { emojiName, emojiCode, channelId = 0, holderIds: userIds } = reaction;
  const isMeant = (emoji: CustomEmoji) => emoji.name === emojiName || String(emoji.id) === emojiCode;
  return {
    channels,
    mutedUserIds: [],
    user: { id, email, fullName, isBot, settings: readerSettings },
    customEmoji: facts.customEmoji.filter(isMeant),
    outsideReaders: outsideReadersOf(facts, { realmId: caller.realmId, channelIds: [channelId], userIds }).readers,
  };
}

function visitorFactsOf({ realm, channels }: PeerFacts): ReadFacts {
  const stranger = exampleUser(realm.id, VISITOR_ID, 'Stranger');
  const webPublic = channels.filter(({ isWebPublic }) => isWebPublic);
  const facts = webPublic.map((channel) => channelReadFactsOf(channel, stranger));
  return {
    realm,
    reader: null,
    channels: facts,
    mutedUserIds: [],
    alertWords: [],
    receiptCandidates: [],
    readerSettings: '{}',
  };
}

function receiptCandidatesOf(facts: PeerFacts, query: ReceiptQuery, readerId: number): ReceiptCandidate[] {
  const { users, channels, mutedUserIds, settings } = facts;
  const { senderId, version = 0 } = query;
  const [sentTo, current] = [query.channelId, query.currentChannelId].map((id) => channels.find((c) => c.id === id));
  const intervalAt = (at: number, channel: PeerChannel | undefined, userId: number) =>
    channel?.intervals
      .get(userId)
      ?.find(({ fromVersion, toVersion = Number.POSITIVE_INFINITY }) => fromVersion <= at && at < toVersion);
  const intervalOf = (userId: number) => intervalAt(version, sentTo, userId);
  const { movedVersion } = query;
  const hasKept = (user: User) =>
    movedVersion === undefined ||
    intervalAt(movedVersion, current, user.id) !== undefined ||
    (current?.isPrivate === false && hasContentAccess(current, user));
  const hasMuted = (userId: number, otherId: number) => mutedUserIds.get(userId)?.includes(otherId) === true;
  return users
    .filter((user) => (intervalOf(user.id) !== undefined && hasKept(user)) || query.userIds.includes(user.id))
    .filter(({ id, isActive }) => isActive && id !== senderId && settings.get(id)?.send_read_receipts !== false)
    .filter(({ id }) => !hasMuted(id, readerId) && !hasMuted(readerId, id))
    .map((user) => {
      const isElsewhere = current !== undefined && (current.isArchived || !isSubscribed(current, user));
      const interval = intervalOf(user.id);
      const keepsReceiving = sentTo === undefined || (interval !== undefined && interval.toVersion === undefined);
      return { userId: user.id, isRead: isElsewhere || hasMuted(user.id, senderId), keepsReceiving };
    });
}

function channelReadFactsOf(channel: PeerChannel, reader: User): ChannelReadFacts {
  return {
    channelId: channel.id,
    name: channel.name,
    mayReadHistory: hasContentAccess(channel, reader) && channel.isHistoryPublic,
    hasContentAccess: hasContentAccess(channel, reader),
    isSubscribed: isSubscribed(channel, reader),
    isMuted: channel.mutedByIds.has(reader.id),
    isPublic: !channel.isPrivate,
    isWebPublic: channel.isWebPublic,
    isArchived: channel.isArchived,
    isHidden: channel.isPrivate && isHidden(channel, reader),
    intervals: channel.intervals.get(reader.id) ?? [],
    subscriptionVersion: channel.subscriptionVersion,
  };
}

const ADMINISTRATOR = 200;
const GUEST = 600;

/** Only administrators know a channel that they may not read; bots know what their owners know. */
function isHidden(channel: PeerChannel, user: User): boolean {
  return !hasContentAccess(channel, user) && !isReachedByOwner(channel, user) && user.role > ADMINISTRATOR;
}

function hasContentAccess(channel: PeerChannel, user: User): boolean {
  return isSubscribed(channel, user) || (!channel.isPrivate && user.role !== GUEST);
}

function isReachedByOwner({ intervals }: PeerChannel, { isBot, botOwnerId }: User): boolean {
  const last = isBot && botOwnerId !== undefined ? intervals.get(botOwnerId)?.at(-1) : undefined;
  return last !== undefined && last.toVersion === undefined;
}

function isSubscribed({ intervals }: PeerChannel, { id }: User): boolean {
  const last = intervals.get(id)?.at(-1);
  return last !== undefined && last.toVersion === undefined;
}

function pushed<Item>(list: Item[], item: Item): Item {
  list.push(item);
  return item;
}

export function exampleUser(realmId: number, id: number, fullName: string, facts: Partial<User> = {}): User {
  const email = `${fullName.toLowerCase().replaceAll(' ', '.')}@example.com`;
  return {
    id,
    realmId,
    email,
    deliveryEmail: email,
    fullName,
    role: 400,
    isBot: false,
    isActive: true,
    timezone: '',
    avatarSource: 'G',
    avatarVersion: 1,
    emailAddressVisibility: 1,
    joinedAtMs: 0,
    ...facts,
  };
}

export function exampleChannel(id: number, name: string, facts: Partial<PeerChannel> = {}): PeerChannel {
  return {
    id,
    name,
    description: '',
    renderedDescription: '',
    isPrivate: false,
    isWebPublic: false,
    isHistoryPublic: true,
    isArchived: false,
    topicsPolicy: 'inherit',
    subscriptionVersion: 0,
    createdAtMs: 0,
    groupSettings: {},
    postPolicy: 1,
    subscriberCount: 0,
    intervals: new Map(),
    mutedByIds: new Set(),
    ...facts,
  };
}
