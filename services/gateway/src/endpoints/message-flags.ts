import { LIMITS } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { json, pathId, text } from '../http/parameters';
import { decodeAnchor, decodeNarrow, narrowSchema, searchLimit } from '../wire/narrow';

/** The part of an answer about messages that cannot be marked as unread, because the caller is not in their channels. */
const ignoredChannels = {
  field: {
    ignored_because_not_subscribed_channels: z
      .array(z.int())
      .optional()
      .describe('Only when messages are marked as unread.'),
  },
  present({ op, flag }: { op: string; flag: string }, channelIds: number[]) {
    return op === 'remove' && flag === 'read' ? { ignored_because_not_subscribed_channels: channelIds } : {};
  },
};

export const updateFlags = endpoint({
  method: 'POST',
  path: '/messages/flags',
  summary: "Set one of the caller's flags on messages, or take it off",
  auth: 'user',
  parameters: {
    messages: json(z.array(z.int())),
    op: text(z.string().describe('`add` or `remove`.')),
    flag: text(z.string().describe('`read`, `starred` or `collapsed`.')),
  },
  result: z.strictObject({ messages: z.array(z.int()), ...ignoredChannels.field }),
  errors: [],
  async handler({ services }, { call }, { messages, op, flag }) {
    const { ignoredChannelIds } = await services.messages.updateFlags(call, { messageIds: messages, op, flag });
    return { messages, ...ignoredChannels.present({ op, flag }, ignoredChannelIds) };
  },
});

export const updateFlagsInNarrow = endpoint({
  method: 'POST',
  path: '/messages/flags/narrow',
  summary: "Set one of the caller's flags on the messages around an anchor, or take it off",
  auth: 'user',
  ownLimitOf: searchLimit,
  parameters: {
    anchor: text(z.string().describe('A message id, `newest`, `oldest` or `first_unread`.')),
    include_anchor: json(z.boolean().default(true)),
    num_before: json(z.int().nonnegative()),
    num_after: json(z.int().nonnegative()),
    narrow: json(narrowSchema.unwrap(), { read: decodeNarrow }),
    op: text(z.string().describe('`add` or `remove`.')),
    flag: text(z.string().describe('`read`, `starred` or `collapsed`.')),
  },
  result: z.strictObject({
    processed_count: z.int(),
    updated_count: z.int(),
    first_processed_id: z.int().nullable(),
    last_processed_id: z.int().nullable(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    ...ignoredChannels.field,
  }),
  errors: ['BAD_NARROW'],
  async handler({ services }, { call }, values) {
    const { op, flag } = values;
    const updated = await services.messages.updateFlagsInNarrow(call, {
      ...decodeAnchor(values.anchor, false),
      ...reduced(values.num_before, values.num_after),
      includeAnchor: values.include_anchor,
      narrow: values.narrow,
      op,
      flag,
    });
    return {
      processed_count: updated.processedCount,
      updated_count: updated.updatedCount,
      first_processed_id: updated.firstProcessedId ?? null,
      last_processed_id: updated.lastProcessedId ?? null,
      found_oldest: updated.foundOldest,
      found_newest: updated.foundNewest,
      ...ignoredChannels.present({ op, flag }, updated.ignoredChannelIds),
    };
  },
});

/** Reduces a request to the maximum number of messages, with at least half of them before the anchor. */
function reduced(wantedBefore: number, wantedAfter: number) {
  const max = LIMITS.messagesPerFetch;
  const numBefore = Math.min(wantedBefore, Math.max(max - wantedAfter, max / 2));
  return { numBefore, numAfter: Math.min(wantedAfter, max - numBefore) };
}

export const markAllAsRead = endpoint({
  method: 'POST',
  path: '/mark_all_as_read',
  summary: 'Mark all messages as read',
  auth: 'user',
  parameters: {},
  result: z.strictObject({ complete: z.boolean().describe('Always true: however much there is, it is done at once.') }),
  errors: [],
  async handler({ services }, { call }) {
    await services.messages.markAllAsRead(call, {});
    return { complete: true };
  },
});

export const markChannelAsRead = endpoint({
  method: 'POST',
  path: '/mark_stream_as_read',
  summary: 'Mark all messages of a channel as read',
  auth: 'user',
  parameters: { stream_id: json(z.int()) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    await services.messages.markChannelAsRead(call, { channelId: values.stream_id });
    return {};
  },
});

export const markTopicAsRead = endpoint({
  method: 'POST',
  path: '/mark_topic_as_read',
  summary: 'Mark all messages of a topic as read',
  auth: 'user',
  parameters: { stream_id: json(z.int()), topic_name: text(z.string()) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { stream_id: channelId, topic_name: topic }) {
    await services.messages.markTopicAsRead(call, { channelId, topic });
    return {};
  },
});

export const getReadReceipts = endpoint({
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  summary: 'Get who has read a message',
  auth: 'user',
  parameters: { message_id: pathId() },
  result: z.strictObject({ user_ids: z.array(z.int()).describe('In no order, without the sender.') }),
  errors: [],
  async handler({ services }, { call }, values) {
    const { userIds } = await services.messages.getReadReceipts(call, { messageId: values.message_id });
    return { user_ids: userIds };
  },
});
