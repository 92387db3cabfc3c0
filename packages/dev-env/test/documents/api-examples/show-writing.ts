import {
  addReaction,
  addSubmessage,
  createDrafts,
  createReminder,
  createSavedSnippet,
  createScheduledMessage,
  deleteAttachment,
  deleteDraft,
  deleteMessage,
  deleteReminder,
  deleteSavedSnippet,
  deleteScheduledMessage,
  deleteTopic,
  editMessage,
  findChannel,
  getAttachments,
  getDrafts,
  getMessage,
  getMessageHistory,
  getMessages,
  getReadReceipts,
  getReminders,
  getSavedSnippets,
  getScheduledMessages,
  getTemporaryFileUrl,
  getThumbnailStatus,
  listTopics,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  matchNarrow,
  removeReaction,
  renderContent,
  reportMessage,
  sendMessage,
  setEditTypingStatus,
  setTypingStatus,
  updateDraft,
  updateFlags,
  updateFlagsInNarrow,
  updateMutedTopics,
  updateRealm,
  updateSavedSnippet,
  updateScheduledMessage,
  updateUserTopic,
  uploadFile,
} from '@parley/gateway/endpoints';
import { PICTURE } from './picture';
import type { Tour } from './tour';

/** Messages, and what is done with them. */
export async function showMessages({ network, recorder, generalId, now }: Tour): Promise<void> {
  const { dan, eve, iris } = network;
  const lunch = { type: 'channel', to: 'general', topic: 'lunch', content: 'Soup at **noon**?' } as const;
  const { id } = await recorder.show(dan, sendMessage, lunch);
  await eve.call(sendMessage, { ...lunch, content: 'I am in.' });
  await network.settle();
  await recorder.show(eve, getMessages, {
    anchor: 'newest',
    num_before: 2,
    num_after: 0,
    narrow: [{ operator: 'topic', operand: 'lunch' }],
  });
  await recorder.show(eve, getMessage, { message_id: id });
  await recorder.show(eve, addReaction, { message_id: id, emoji_name: 'yum' });
  await recorder.show(eve, removeReaction, { message_id: id, emoji_name: 'yum' });
  await recorder.show(dan, setEditTypingStatus, { message_id: id, op: 'start' });
  await recorder.show(dan, editMessage, { message_id: id, content: 'Soup at **one**?' });
  await recorder.show(eve, getMessageHistory, { message_id: id });
  await recorder.show(eve, matchNarrow, { msg_ids: [id], narrow: [{ operator: 'search', operand: 'soup' }] });
  await recorder.show(eve, updateFlags, { messages: [id], op: 'add', flag: 'read' });
  await recorder.show(dan, getReadReceipts, { message_id: id });
  await recorder.show(eve, updateFlagsInNarrow, {
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
    narrow: [{ operator: 'is', operand: 'dm' }],
    op: 'add',
    flag: 'read',
  });
  await recorder.show(eve, markTopicAsRead, { stream_id: generalId, topic_name: 'lunch' });
  await recorder.show(eve, markChannelAsRead, { stream_id: generalId });
  await recorder.show(eve, markAllAsRead, {});
  await recorder.show(eve, renderContent, { content: 'Soup at **noon**, :yum:' });
  await recorder.show(eve, setTypingStatus, { type: 'direct', op: 'start', to: [dan.userId] });
  await recorder.show(eve, updateUserTopic, { stream_id: generalId, topic: 'lunch', visibility_policy: 3 });
  await recorder.show(eve, updateMutedTopics, { stream_id: generalId, topic: 'lunch', op: 'add' });
  await recorder.show(eve, listTopics, { stream_id: generalId });
  const { stream_id: leadsId } = await iris.call(findChannel, { stream: 'leads' });
  await iris.call(updateRealm, { moderation_request_channel_id: leadsId });
  await recorder.show(eve, reportMessage, { message_id: id, report_type: 'spam', description: 'Soup again.' });
  const poll = await dan.call(sendMessage, { ...lunch, content: '/poll Lunch?\nsoup' });
  const vote = '{"type":"vote","key":"canned,0","vote":1}';
  await recorder.show(eve, addSubmessage, { message_id: poll.id, msg_type: 'widget', content: vote });
  await showReminders({ recorder, network, now }, id);
  await recorder.show(iris, deleteMessage, { message_id: poll.id });
  await recorder.show(iris, deleteTopic, { stream_id: generalId, topic_name: 'lunch' });
}

async function showReminders({ network, recorder, now }: Pick<Tour, 'network' | 'recorder' | 'now'>, id: number) {
  const { eve } = network;
  const scheduled_delivery_timestamp = Math.floor(now / 1000) + 3600;
  const { reminder_id } = await recorder.show(eve, createReminder, {
    message_id: id,
    scheduled_delivery_timestamp,
    note: 'Bring a spoon',
  });
  await recorder.show(eve, getReminders, {});
  await recorder.show(eve, deleteReminder, { reminder_id });
}

/** Messages to send later, or not at all. */
export async function showUnsent({ network: { dan }, recorder, generalId, now }: Tour): Promise<void> {
  const draft = { type: 'stream' as const, to: [generalId], topic: 'lunch', content: 'Or rather' };
  const [draft_id] = (await recorder.show(dan, createDrafts, { drafts: [draft] })).ids as [number];
  await recorder.show(dan, updateDraft, { draft_id, draft: { ...draft, content: 'Or rather salad?' } });
  await recorder.show(dan, getDrafts, {});
  await recorder.show(dan, deleteDraft, { draft_id });

  const snippet = { title: 'Thanks', content: 'Thank you for **the report**.' };
  const { saved_snippet_id } = await recorder.show(dan, createSavedSnippet, snippet);
  await recorder.show(dan, updateSavedSnippet, { saved_snippet_id, title: 'Thank you' });
  await recorder.show(dan, getSavedSnippets, {});
  await recorder.show(dan, deleteSavedSnippet, { saved_snippet_id });

  const scheduled_delivery_timestamp = Math.floor(now / 1000) + 86_400;
  const message = { type: 'channel', to: generalId, topic: 'lunch', content: 'Soup today.' } as const;
  const { scheduled_message_id } = await recorder.show(dan, createScheduledMessage, {
    ...message,
    scheduled_delivery_timestamp,
  });
  await recorder.show(dan, updateScheduledMessage, { scheduled_message_id, content: 'Salad today.' });
  await recorder.show(dan, getScheduledMessages, {});
  await recorder.show(dan, deleteScheduledMessage, { scheduled_message_id });
}

/** Files in messages. */
export async function showFiles({ network, recorder }: Tour): Promise<void> {
  const { dan } = network;
  const { url } = await recorder.show(dan, uploadFile, {}, PICTURE);
  await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'menu', content: `[menu](${url})` });
  const [, realm, filename] = /^\/user_uploads\/(\d+)\/(.+)$/.exec(url as string) as unknown as [
    string,
    string,
    string,
  ];
  const file = { realm_id_str: Number(realm), filename };
  await recorder.show(dan, getTemporaryFileUrl, file);
  await recorder.show(dan, getThumbnailStatus, file);
  const { attachments } = await recorder.show(dan, getAttachments, {});
  await recorder.show(dan, deleteAttachment, { attachment_id: attachments[0]?.id as number });
}
