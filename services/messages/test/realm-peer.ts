import {
  type Channel,
  type ChannelReadFacts,
  type ChannelSendFacts,
  type Group,
  loadService,
  type Organization,
  type ReadFacts,
  type SendFacts,
  type SendFactsQuery,
  type User,
  type VersionInterval,
} from '@parley/shared/proto';
import { byCaller, type Caller, type Implementation, type RpcServer, serve } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';

/** A channel as the peer keeps it: with everybody's intervals, and who may post if not everybody. */
export interface PeerChannel extends Channel {
  intervals: Map<number, VersionInterval[]>;
  senderIds?: number[];
  mutedByIds: Set<number>;
}

/** The realm service as this service's tests meet it on the wire: the promises of realm.proto over plain facts in memory. */
export interface RealmPeer extends RpcServer {
  realm: Organization;
  users: User[];
  groups: Group[];
  channels: PeerChannel[];
  /** Calls of getSendFacts and the questions in them. */
  sendFactsCalls: number[];
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
  };
  const facts = { realm, users: [] as User[], groups: [] as Group[], channels: [] as PeerChannel[] };
  const sendFactsCalls: number[] = [];
  const server = await serve({
    service: 'realm',
    implementation: implementationOf(facts, sendFactsCalls),
    address: '127.0.0.1:0',
    log: silentLogger,
  });
  return {
    ...facts,
    ...server,
    sendFactsCalls,
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

type Facts = Pick<RealmPeer, 'realm' | 'users' | 'groups' | 'channels'>;

function implementationOf(facts: Facts, sendFactsCalls: number[]): Implementation<'realm'> {
  const refuse = () => Promise.reject(new Error('not part of these tests'));
  const methods = Object.keys(loadService('realm')).map((name) => name.charAt(0).toLowerCase() + name.slice(1));
  const answers: Partial<Implementation<'realm'>> = {
    getUsers: async (_call, { userIds }) => ({ users: facts.users.filter(({ id }) => userIds.includes(id)) }),
    getReadFacts: byCaller(async (caller) => readFactsOf(facts, caller)),
    getSendFacts: async (_call, { queries }) => {
      if (JSON.stringify(queries).includes('\\u0000')) throw new Error('PostgreSQL takes no null bytes');
      sendFactsCalls.push(queries.length);
      return { facts: queries.map((query) => sendFactsOf(facts, query)) };
    },
  };
  const refusals = Object.fromEntries(methods.map((name) => [name, refuse]));
  return { ...refusals, ...answers } as Implementation<'realm'>;
}

function sendFactsOf({ realm, users, groups, channels }: Facts, query: SendFactsQuery): SendFacts {
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
    linkedChannels: channels.filter(({ name }) => query.linkedChannelNames.includes(name)),
    linkifiers: [{ id: 1, pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://tickets.example/{id}' }],
  };
}

function channelSendFactsOf(channel: PeerChannel, sender: User): ChannelSendFacts {
  return {
    channel,
    isSenderSubscribed: isSubscribed(channel, sender),
    isInSendGroup: channel.senderIds?.includes(sender.id) ?? true,
    hasContentAccess: hasContentAccess(channel, sender),
  };
}

function readFactsOf({ realm, users, channels }: Facts, { userId }: Caller): ReadFacts {
  const reader = users.find(({ id }) => id === userId) as User;
  const isKnown = (channel: PeerChannel) => hasContentAccess(channel, reader) || channel.intervals.has(userId);
  return { realm, reader, channels: channels.filter(isKnown).map((channel) => channelReadFactsOf(channel, reader)) };
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
    intervals: channel.intervals.get(reader.id) ?? [],
  };
}

const GUEST = 600;

function hasContentAccess(channel: PeerChannel, user: User): boolean {
  return isSubscribed(channel, user) || (!channel.isPrivate && user.role !== GUEST);
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
