import type { MessageEdited, MessageSent, SubscriptionChanged } from '@parley/shared/events';
import type { CreateQueueRequest, Message, Subscriber, User } from '@parley/shared/proto';

/** Example values; tests override what matters to them. */

export const REALM = 1;
export const OTHER_REALM = 2;

/** A public channel, at version 1 since it was made. */
export const CHANNEL = 10;

let lastMessageId = 1000;

export function user(id: number): User {
  return {
    id,
    realmId: REALM,
    email: `user${id}@example.com`,
    deliveryEmail: `user${id}@example.com`,
    fullName: `User ${id}`,
    role: 400,
    isBot: false,
    isActive: true,
    timezone: '',
    avatarSource: 'G',
    avatarVersion: 1,
    emailAddressVisibility: 1,
    joinedAtMs: 0,
  };
}

export function message(fields: Partial<Message> = {}): Message {
  lastMessageId += 1;
  return {
    id: lastMessageId,
    realmId: REALM,
    sender: user(1),
    channelName: '',
    participants: [],
    topic: '',
    content: 'hello',
    renderedContent: '<p>hello</p>',
    sentAtMs: 1_000_000,
    clientName: 'test',
    recipientId: 1,
    isMeMessage: false,
    topicLinks: [],
    flags: [],
    reactions: [],
    submessages: [],
    senderRealm: '',
    ...fields,
  };
}

export function channelMessage(fields: Partial<MessageSent> & { content?: string; topic?: string } = {}): MessageSent {
  const { content = 'hello', topic = 'greetings', ...rest } = fields;
  return {
    message: message({ channelId: CHANNEL, channelName: 'Lobby', topic, content }),
    subscriptionVersion: 1,
    isChannelPublic: true,
    readByIds: [],
    mentionedIds: [],
    mentionsChannel: false,
    mentionsTopic: false,
    ...rest,
  };
}

export function directMessage(userIds: readonly number[], content = 'psst'): MessageSent {
  return {
    message: message({ participants: userIds.map(user), content }),
    readByIds: [],
    mentionedIds: [],
    mentionsChannel: false,
    mentionsTopic: false,
  };
}

/** Of user 1's message in the channel. */
export function edit(fields: Partial<MessageEdited> = {}): MessageEdited {
  const messageId = fields.messageId ?? 7;
  return {
    editorId: 1,
    editedAtMs: 0,
    messageId,
    messageIds: [messageId],
    audience: { to: 'subscribers', channelId: CHANNEL, version: 1, isPublic: true },
    senderId: 1,
    text: 'hi',
    sentAtMs: 0,
    mentionedIds: [],
    mentionsChannel: false,
    mentionsTopic: false,
    ...fields,
  };
}

export function subscriptionChange(fields: Partial<SubscriptionChanged>): SubscriptionChanged {
  return { channelId: CHANNEL, version: 2, subscribedIds: [], unsubscribedIds: [], ...fields };
}

/** Subscribed from a version on, and up to one. */
export function subscriber(userId: number, fromVersion: number, toVersion?: number): Subscriber {
  return { userId, intervals: [toVersion === undefined ? { fromVersion } : { fromVersion, toVersion }] };
}

export function queueRequest(fields: Partial<CreateQueueRequest> = {}): CreateQueueRequest {
  return {
    eventTypes: [],
    hasEventTypes: false,
    narrow: [],
    allPublicChannels: false,
    applyMarkdown: false,
    clientGravatar: true,
    capabilities: ['empty_topic_name'],
    lifespanSecs: 0,
    clientName: 'test',
    apiKeyId: 0,
    snapshots: [],
    ...fields,
  };
}
