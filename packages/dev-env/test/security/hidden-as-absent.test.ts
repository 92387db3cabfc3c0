import {
  addDefaultChannel,
  addReaction,
  addSubmessage,
  archiveChannel,
  changeOwnSubscriptions,
  createBot,
  createChannel,
  createDrafts,
  createInvitationLink,
  createReminder,
  createScheduledMessage,
  deleteMessage,
  deleteTopic,
  type Endpoint,
  editMessage,
  encodeRequest,
  findChannel,
  getChannel,
  getChannelEmailAddress,
  getChannelMembers,
  getMessage,
  getMessageHistory,
  getMessages,
  getReadReceipts,
  getSubscriptionStatus,
  type InputOf,
  listTopics,
  markChannelAsRead,
  markTopicAsRead,
  matchNarrow,
  removeReaction,
  renderContent,
  reportMessage,
  sendInvitations,
  sendMessage,
  setEditTypingStatus,
  setTypingStatus,
  unsubscribe,
  updateBot,
  updateChannel,
  updateDraft,
  updateFlags,
  updateFlagsInNarrow,
  updateMutedTopics,
  updateRealm,
  updateScheduledMessage,
  updateSubscriptionProperties,
  updateSubscriptionProperty,
  updateUserTopic,
} from '@parley/gateway/endpoints';
import { type RawAnswer, type TestClient, TestNetwork } from '../../src';
import { type RawRequest, toRawRequest } from '../../src/network/test-client';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ settings: { RATE_LIMITS: 'off' } });
});
afterAll(() => network.stop());

/** Something hidden from the caller; or, in its place, something that never existed. */
interface Named {
  channelId: number;
  channelName: string;
  messageId: number;
  topic: string;
}

/** The asker's own things, which requests are about. */
interface Own {
  messageId: number;
  channelId: number;
  draftId: number;
  scheduledId: number;
  botId: number;
}

type Probe = (named: Named, own: Own) => RawRequest;
type AnyEndpoint = Pick<Endpoint, 'method' | 'path' | 'result'>;

const LATER = Math.floor(Date.now() / 1_000) + 86_400;

function ask<E extends AnyEndpoint>(endpoint: E, input: InputOf<E>): RawRequest {
  return toRawRequest(encodeRequest(endpoint as never, input as never));
}
const around = { anchor: 'newest', num_before: 10, num_after: 0 };
const term = (operator: string, operand: string | number) => ({ operator, operand });
const nobody = { direct_members: [], direct_subgroups: [] };

/** Every way to name a private channel, a topic or a message of it to an endpoint. */
const PROBES: Record<string, Probe> = {
  'get channel': ({ channelId }) => ask(getChannel, { stream_id: channelId }),
  'get members': ({ channelId }) => ask(getChannelMembers, { stream_id: channelId }),
  'get address': ({ channelId }) => ask(getChannelEmailAddress, { stream_id: channelId }),
  'find channel': ({ channelName }) => ask(findChannel, { stream: channelName }),
  'find channel in capitals': ({ channelName }) => ask(findChannel, { stream: channelName.toUpperCase() }),
  topics: ({ channelId }) => ask(listTopics, { stream_id: channelId }),
  'archive channel': ({ channelId }) => ask(archiveChannel, { stream_id: channelId }),
  'delete topic': ({ channelId, topic }) => ask(deleteTopic, { stream_id: channelId, topic_name: topic }),
  'delete other topic': ({ channelId }) => ask(deleteTopic, { stream_id: channelId, topic_name: 'none' }),
  'rename channel': ({ channelId }) => ask(updateChannel, { stream_id: channelId, new_name: 'x' }),
  'describe channel': ({ channelId }) => ask(updateChannel, { stream_id: channelId, description: 'x' }),
  'nothing of channel': ({ channelId }) => ask(updateChannel, { stream_id: channelId }),
  'open channel': ({ channelId }) => ask(updateChannel, { stream_id: channelId, is_private: false }),
  'open channel to the web': ({ channelId }) => ask(updateChannel, { stream_id: channelId, is_web_public: true }),
  'make default': ({ channelId }) => ask(updateChannel, { stream_id: channelId, is_default_stream: true }),
  'unarchive channel': ({ channelId }) => ask(updateChannel, { stream_id: channelId, is_archived: false }),
  'archive by change': ({ channelId }) => ask(updateChannel, { stream_id: channelId, is_archived: true }),
  'channel folder': ({ channelId }) => ask(updateChannel, { stream_id: channelId, folder_id: 7 }),
  'channel retention': ({ channelId }) => ask(updateChannel, { stream_id: channelId, message_retention_days: '3' }),
  'channel post policy': ({ channelId }) => ask(updateChannel, { stream_id: channelId, stream_post_policy: 2 }),
  'channel one topic': ({ channelId }) =>
    ask(updateChannel, { stream_id: channelId, topics_policy: 'empty_topic_only' }),
  'channel setting': ({ channelId }) =>
    ask(updateChannel, { stream_id: channelId, can_subscribe_group: { new: nobody } }),
  'channel setting, old': ({ channelId }) =>
    ask(updateChannel, { stream_id: channelId, can_subscribe_group: { new: nobody, old: 3 } }),
  'subscription of dan': ({ channelId }) =>
    ask(getSubscriptionStatus, { user_id: network.dan.userId, stream_id: channelId }),
  'subscription of own': ({ channelId }) =>
    ask(getSubscriptionStatus, { user_id: network.eve.userId, stream_id: channelId }),
  'mark channel': ({ channelId }) => ask(markChannelAsRead, { stream_id: channelId }),
  'mark topic': ({ channelId, topic }) => ask(markTopicAsRead, { stream_id: channelId, topic_name: topic }),
  'follow topic': ({ channelId, topic }) => ask(updateUserTopic, { stream_id: channelId, topic, visibility_policy: 3 }),
  'no policy of topic': ({ channelId, topic }) =>
    ask(updateUserTopic, { stream_id: channelId, topic, visibility_policy: 0 }),
  'mute topic by name': ({ channelName, topic }) => ask(updateMutedTopics, { stream: channelName, topic, op: 'add' }),
  'unmute topic by name': ({ channelName, topic }) =>
    ask(updateMutedTopics, { stream: channelName, topic, op: 'remove' }),
  'mute topic by id': ({ channelId, topic }) => ask(updateMutedTopics, { stream_id: channelId, topic, op: 'add' }),
  'unmute topic by id': ({ channelId, topic }) => ask(updateMutedTopics, { stream_id: channelId, topic, op: 'remove' }),
  typing: ({ channelId, topic }) => ask(setTypingStatus, { type: 'channel', op: 'start', stream_id: channelId, topic }),
  'send by id': ({ channelId, topic }) => ask(sendMessage, { type: 'channel', to: channelId, topic, content: 'x' }),
  'send by name': ({ channelName, topic }) =>
    ask(sendMessage, { type: 'channel', to: channelName, topic, content: 'x' }),
  'send without topic': ({ channelName }) => ask(sendMessage, { type: 'channel', to: channelName, content: 'x' }),
  'send nothing': ({ channelName, topic }) =>
    ask(sendMessage, { type: 'channel', to: channelName, topic, content: '' }),
  'send to all': ({ channelId, topic }) =>
    ask(sendMessage, { type: 'channel', to: channelId, topic, content: '@**all**' }),
  'move there': ({ channelId }, { messageId }) => ask(editMessage, { message_id: messageId, stream_id: channelId }),
  'move there, all': ({ channelId, topic }, { messageId }) =>
    ask(editMessage, { message_id: messageId, stream_id: channelId, topic, propagate_mode: 'change_all' }),
  draft: ({ channelId, topic }) =>
    ask(createDrafts, { drafts: [{ type: 'stream', to: [channelId], topic, content: 'x', timestamp: 1 }] }),
  'draft changed': ({ channelId, topic }, { draftId }) =>
    ask(updateDraft, {
      draft_id: draftId,
      draft: { type: 'stream', to: [channelId], topic, content: 'x', timestamp: 1 },
    }),
  schedule: ({ channelId, topic }) =>
    ask(createScheduledMessage, {
      type: 'channel',
      to: channelId,
      topic,
      content: 'x',
      scheduled_delivery_timestamp: LATER,
    }),
  'schedule changed': ({ channelId }, { scheduledId }) =>
    ask(updateScheduledMessage, { scheduled_message_id: scheduledId, to: channelId }),
  'schedule changed, type': ({ channelId, topic }, { scheduledId }) =>
    ask(updateScheduledMessage, { scheduled_message_id: scheduledId, type: 'stream', to: channelId, topic }),
  'property, many': ({ channelId }) =>
    ask(updateSubscriptionProperties, {
      subscription_data: [{ stream_id: channelId, property: 'is_muted', value: true }],
    }),
  'property, wrong': ({ channelId }) =>
    ask(updateSubscriptionProperties, { subscription_data: [{ stream_id: channelId, property: 'nope', value: true }] }),
  property: ({ channelId }) =>
    ask(updateSubscriptionProperty, { stream_id: channelId, property: 'is_muted', value: true }),
  'unsubscribe oneself': ({ channelName }) => ask(unsubscribe, { subscriptions: [channelName] }),
  'unsubscribe dan': ({ channelName }) =>
    ask(unsubscribe, { subscriptions: [channelName], principals: [network.dan.userId] }),
  'unsubscribe by change': ({ channelName }) => ask(changeOwnSubscriptions, { delete: [channelName] }),
  'invite there': ({ channelId }) =>
    ask(sendInvitations, { invitee_emails: 'pip@example.com', stream_ids: [channelId] }),
  'link there': ({ channelId }) => ask(createInvitationLink, { stream_ids: [channelId] }),
  'bot that sends there': ({ channelName }) =>
    ask(createBot, { full_name: 'B', short_name: 'b-x', default_sending_stream: channelName }),
  'bot that listens there': ({ channelName }) =>
    ask(createBot, { full_name: 'B', short_name: 'b-x', default_events_register_stream: channelName }),
  'bot made to send there': ({ channelName }, { botId }) =>
    ask(updateBot, { bot_id: botId, default_sending_stream: channelName }),
  'bot made to listen there': ({ channelName }, { botId }) =>
    ask(updateBot, { bot_id: botId, default_events_register_stream: channelName }),
  'default channel': ({ channelId }) => ask(addDefaultChannel, { stream_id: channelId }),
  'news there': ({ channelId }) => ask(updateRealm, { new_stream_announcements_stream_id: channelId }),
  'link to channel': ({ channelName }) => ask(renderContent, { content: `#**${channelName}**` }),
  'link to topic': ({ channelName, topic }) => ask(renderContent, { content: `#**${channelName}>${topic}**` }),
  'link to message': ({ channelName, topic, messageId }) =>
    ask(renderContent, { content: `#**${channelName}>${topic}@${messageId}**` }),
  'narrow by id': ({ channelId }) => ask(getMessages, { ...around, narrow: [term('channel', channelId)] }),
  'narrow by id as text': ({ channelId }) =>
    ask(getMessages, { ...around, narrow: [term('channel', String(channelId))] }),
  'narrow by name': ({ channelName }) => ask(getMessages, { ...around, narrow: [term('channel', channelName)] }),
  'narrow by name, capitals': ({ channelName }) =>
    ask(getMessages, { ...around, narrow: [term('channel', channelName.toUpperCase())] }),
  'narrow but it': ({ channelName }) =>
    ask(getMessages, { ...around, narrow: [{ ...term('channel', channelName), negated: true }] }),
  'narrow but its id': ({ channelId }) =>
    ask(getMessages, { ...around, narrow: [{ ...term('channel', channelId), negated: true }] }),
  'narrow to topic': ({ channelId, topic }) =>
    ask(getMessages, { ...around, narrow: [term('channel', channelId), term('topic', topic)] }),
  'narrow with': ({ messageId }) => ask(getMessages, { ...around, narrow: [term('with', messageId)] }),
  'narrow with in': ({ messageId, channelId, topic }) =>
    ask(getMessages, {
      ...around,
      narrow: [term('channel', channelId), term('topic', topic), term('with', messageId)],
    }),
  'narrow with in own': ({ messageId }, { channelId }) =>
    ask(getMessages, {
      ...around,
      narrow: [term('channel', channelId), term('topic', 'own'), term('with', messageId)],
    }),
  'narrow id': ({ messageId }) => ask(getMessages, { ...around, narrow: [term('id', messageId)] }),
  'narrow but id': ({ messageId }) =>
    ask(getMessages, { ...around, narrow: [{ ...term('id', messageId), negated: true }] }),
  'narrow near': ({ messageId }) => ask(getMessages, { ...around, narrow: [term('near', messageId)] }),
  'narrow first unread': ({ channelId }) =>
    ask(getMessages, { ...around, anchor: 'first_unread', narrow: [term('channel', channelId)] }),
  'narrow by date': ({ channelId }) =>
    ask(getMessages, {
      ...around,
      anchor: 'date',
      anchor_date: '2020-01-01T00:00:00Z',
      narrow: [term('channel', channelId)],
    }),
  'narrow of search': ({ channelId }) =>
    ask(getMessages, { ...around, narrow: [term('channel', channelId), term('search', 'wolpertinger')] }),
  'by ids': ({ messageId }) => ask(getMessages, { message_ids: [messageId] }),
  'matches channel': ({ messageId, channelId }) =>
    ask(matchNarrow, { msg_ids: [messageId], narrow: [term('channel', channelId)] }),
  'matches own': ({ channelName }, { messageId }) =>
    ask(matchNarrow, { msg_ids: [messageId], narrow: [{ ...term('channel', channelName), negated: true }] }),
  'flags in narrow': ({ channelId }) =>
    ask(updateFlagsInNarrow, { ...around, narrow: [term('channel', channelId)], op: 'add', flag: 'read' }),
  'flags off in narrow': ({ channelId }) =>
    ask(updateFlagsInNarrow, { ...around, narrow: [term('channel', channelId)], op: 'remove', flag: 'read' }),
  message: ({ messageId }) => ask(getMessage, { message_id: messageId }),
  history: ({ messageId }) => ask(getMessageHistory, { message_id: messageId }),
  receipts: ({ messageId }) => ask(getReadReceipts, { message_id: messageId }),
  edit: ({ messageId }) => ask(editMessage, { message_id: messageId, content: 'x' }),
  'edit nothing': ({ messageId }) => ask(editMessage, { message_id: messageId }),
  'edit with hash': ({ messageId }) =>
    ask(editMessage, { message_id: messageId, content: 'x', prev_content_sha256: '0'.repeat(64) }),
  'edit topic': ({ messageId }) =>
    ask(editMessage, { message_id: messageId, topic: 'x', propagate_mode: 'change_all' }),
  'edit both': ({ messageId }, { channelId }) =>
    ask(editMessage, { message_id: messageId, content: 'x', stream_id: channelId }),
  'move away': ({ messageId }, { channelId }) => ask(editMessage, { message_id: messageId, stream_id: channelId }),
  delete: ({ messageId }) => ask(deleteMessage, { message_id: messageId }),
  react: ({ messageId }) => ask(addReaction, { message_id: messageId, emoji_name: 'tada' }),
  'react wrongly': ({ messageId }) => ask(addReaction, { message_id: messageId, emoji_name: 'nope-nope' }),
  unreact: ({ messageId }) => ask(removeReaction, { message_id: messageId, emoji_name: 'tada' }),
  submessage: ({ messageId }) => ask(addSubmessage, { message_id: messageId, msg_type: 'widget', content: '{}' }),
  report: ({ messageId }) => ask(reportMessage, { message_id: messageId, report_type: 'spam' }),
  remind: ({ messageId }) => ask(createReminder, { message_id: messageId, scheduled_delivery_timestamp: LATER }),
  'remind too early': ({ messageId }) =>
    ask(createReminder, { message_id: messageId, scheduled_delivery_timestamp: 1 }),
  'typing edit': ({ messageId }) => ask(setEditTypingStatus, { message_id: messageId, op: 'start' }),
  star: ({ messageId }) => ask(updateFlags, { messages: [messageId], op: 'add', flag: 'starred' }),
  read: ({ messageId }) => ask(updateFlags, { messages: [messageId], op: 'add', flag: 'read' }),
  unread: ({ messageId }) => ask(updateFlags, { messages: [messageId], op: 'remove', flag: 'read' }),
  collapse: ({ messageId }) => ask(updateFlags, { messages: [messageId], op: 'add', flag: 'collapsed' }),
};

const ABSENT: Named = { channelId: 987_001, channelName: 'chimera', messageId: 987_002, topic: 'nowhere' };

let made = 0;

async function hide(...people: TestClient[]): Promise<Named> {
  const { dan } = network;
  made += 1;
  const [channelName, topic] = [`vault ${made}`, `secret ${made}`];
  const subscribers = people.map(({ userId }) => userId);
  const { id: channelId } = await dan.call(createChannel, { name: channelName, subscribers, invite_only: true });
  const message = { type: 'channel', to: channelId, topic, content: 'wolpertinger' } as const;
  const { id: messageId } = await dan.call(sendMessage, message);
  await dan.call(addReaction, { message_id: messageId, emoji_name: 'tada' });
  return { channelId, channelName, messageId, topic };
}

async function ownOf(client: TestClient): Promise<Own> {
  const message = { type: 'channel', to: 'general', topic: 'own', content: 'x' } as const;
  const { id: messageId } = await client.call(sendMessage, message);
  const { messages } = await client.call(getMessages, { message_ids: [messageId] });
  const channelId = messages[0]?.stream_id as number;
  const { ids } = await client.call(createDrafts, {
    drafts: [{ type: 'stream', to: [channelId], topic: 'x', content: 'x', timestamp: 1 }],
  });
  const { scheduled_message_id: scheduledId } = await client.call(createScheduledMessage, {
    ...{ type: 'channel', to: channelId, topic: 'x', content: 'x', scheduled_delivery_timestamp: LATER },
  });
  const bot = { full_name: `Bot of ${client.userId}`, short_name: `own-${client.userId}` };
  const { user_id: botId } = await client.call(createBot, bot).catch(() => ({ user_id: 1 }));
  return { messageId, channelId, draftId: ids[0] as number, scheduledId, botId };
}

/** An answer without what it only repeats. */
function contentOf({ status, text, json }: RawAnswer, { channelId, channelName, messageId, topic }: Named): unknown {
  if (Array.isArray(json['messages']) && status === 200 && 'found_newest' in json) {
    return (json['messages'] as { id: number }[]).map(({ id }) => id);
  }
  const repeated = [channelName, channelName.toUpperCase(), topic].reduce(
    (rest, each) => rest.replaceAll(each, 'it'),
    text,
  );
  return [status, repeated.replaceAll(new RegExp(`(?<!\\d)(${channelId}|${messageId})(?!\\d)`, 'g'), 'it')];
}

describe('a private channel and its contents are answered as absent, by every endpoint', () => {
  async function expectAbsent(client: TestClient, named: Named): Promise<void> {
    const own = await ownOf(client);
    const answers = { hidden: {} as Record<string, unknown>, absent: {} as Record<string, unknown> };
    for (const [what, probe] of Object.entries(PROBES)) {
      answers.hidden[what] = contentOf(await client.callRaw(probe(named, own)), named);
      answers.absent[what] = contentOf(await client.callRaw(probe(ABSENT, own)), ABSENT);
    }
    expect(answers.hidden).toEqual(answers.absent);
  }

  test('to users who never subscribed', async () => {
    const { dan, eve } = network;
    await expectAbsent(eve, await hide(dan));
  });

  test('to removed users', async () => {
    const { dan, eve, iris } = network;
    const named = await hide(dan, eve);
    await eve.call(updateFlags, { messages: [named.messageId], op: 'add', flag: 'starred' });
    await eve.call(addReaction, { message_id: named.messageId, emoji_name: 'heart' });
    await iris.call(unsubscribe, { subscriptions: [named.channelName], principals: [eve.userId] });
    await network.settle();
    await expectAbsent(eve, named);
  });

  test('to guests', async () => {
    const { dan, faye } = network;
    await expectAbsent(faye, await hide(dan));
  });
});
