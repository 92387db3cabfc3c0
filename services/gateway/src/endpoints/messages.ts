import { BadRequestError, MissingParameterError, UnauthorizedError } from '@parley/shared/errors';
import type { GetMessagesResponse, MessageSnapshot, MessageView, NarrowTerm } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { displayTopic, LIMITS, REPORT_TYPE_KEYS, toSeconds, VISITOR_ID } from '@parley/shared/values';
import { foundMessage, messageForReader, publicAttachment } from '@parley/shared/wire';
import { z } from 'zod';
import { isInteractiveClient } from '../http/client-name';
import { endpoint, type Values } from '../http/endpoint';
import { idempotencyKeyOf, requestKeyOf } from '../http/idempotency-key';
import { JsonPieces, listInSlices } from '../http/json-pieces';
import { boundedText, json, opaqueText, pathId, text } from '../http/parameters';
import { attachmentSchema, foundMessageSchema, type MessageForReader, messageSchema } from '../wire/messages';
import { decodeAnchor, decodeNarrow, narrowSchema, searchLimit } from '../wire/narrow';
import { decodeRecipients, recipientsSchema } from '../wire/recipients';

const DIRECT_TYPES = ['direct', 'private'];

const FORGED = ['yes', 'true'];

/** Parameters for mirroring another chat: sending for others, at a given time. Always refused. */
const mirroring = {
  parameters: {
    sender: text(z.string().optional().describe('Refused: no account may send in the name of another.')),
    forged: text(z.string().optional().describe('Refused when it is `yes` or `true`.')),
    time: text(z.string().optional().describe('Of a forged message only.')),
  },
  refuse({ sender, forged }: { sender: string | undefined; forged: string | undefined }): void {
    if (forged !== undefined && FORGED.includes(forged)) {
      throw new BadRequestError('User not authorized for this query');
    }
    if (sender !== undefined) throw new BadRequestError('Invalid mirrored message');
  },
};

export const sendMessage = endpoint({
  method: 'POST',
  path: '/messages',
  summary: 'Send a message to a channel or to users',
  auth: 'user',
  isHot: true,
  isOpenToWebhookBots: true,
  parameters: {
    type: text(z.enum(['direct', 'channel', 'stream', 'private'])),
    to: json(recipientsSchema, { readText: (_name, encoded) => encoded }),
    topic: text(z.string().optional(), { alias: 'subject' }),
    content: text(z.string()),
    queue_id: text(opaqueText(LIMITS.requestKeyLength).optional()),
    local_id: text(opaqueText(LIMITS.requestKeyLength).optional()),
    read_by_sender: json(z.boolean().optional()),
    ...mirroring.parameters,
    widget_content: text(boundedText(LIMITS.messageLength).optional().describe('JSON: choices that a bot offers.')),
  },
  result: z.strictObject({
    id: z.int(),
    automatic_new_visibility_policy: z.int().optional().describe('2: unmuted, 3: followed.'),
  }),
  errors: [
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  async handler({ services, config }, request, values) {
    const { topic, content, queue_id: queueId, local_id: localId } = values;
    const destination = decodeRecipients(DIRECT_TYPES.includes(values.type), values.to);
    mirroring.refuse(values);
    if (queueId !== undefined && localId === undefined) throw new MissingParameterError('local_id');
    const isNamed = Boolean(queueId && localId);
    const idempotencyKey = isNamed ? idempotencyKeyOf(request) : requestKeyOf(request);
    const { clientName } = request;
    const sent = await services.messages.sendMessage(request.call, {
      ...destination,
      ...(topic !== undefined && { topic }),
      content,
      ...(queueId !== undefined && { queueId }),
      ...(localId !== undefined && { localId }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      isReadBySender: values.read_by_sender ?? isInteractiveClient(clientName, config.API_BRANDS),
      clientName,
      ...(values.widget_content !== undefined && { widgetContent: values.widget_content }),
    });
    const policy = sent.automaticNewVisibilityPolicy;
    return { id: sent.messageId, ...(policy !== undefined && { automatic_new_visibility_policy: policy }) };
  },
});

const fetchParameters = {
  anchor: text(z.string().optional().describe('A message id, `newest`, `oldest`, `first_unread` or `date`.')),
  include_anchor: json(z.boolean().default(true)),
  num_before: json(z.int().nonnegative().default(0)),
  num_after: json(z.int().nonnegative().default(0)),
  narrow: json(narrowSchema, { read: decodeNarrow }),
  client_gravatar: json(z.boolean().default(true)),
  apply_markdown: json(z.boolean().default(true)),
  use_first_unread_anchor: json(z.boolean().default(false).describe('Deprecated; overrides anchor.')),
  message_ids: json(z.array(z.int()).optional().describe('These messages, instead of those around an anchor.')),
  allow_empty_topic_name: json(z.boolean().default(false)),
  anchor_date: text(z.string().optional().describe('Of the anchor `date`, in ISO 8601.')),
};

type Parameters = Values<typeof fetchParameters>;

export const getMessages = endpoint({
  method: 'GET',
  path: '/messages',
  summary: 'Get messages around an anchor, or by id',
  auth: 'user',
  isHot: true,
  isOpenToVisitors: true,
  parameters: fetchParameters,
  ownLimitOf: searchLimit,
  result: z.strictObject({
    messages: z.array(foundMessageSchema).describe('By ascending id.'),
    // NOTE: the anchor `newest` is 10^16, which is exact but not a safe integer.
    anchor: z.number().optional(),
    found_anchor: z.boolean(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    history_limited: z.boolean(),
  }),
  errors: ['BAD_NARROW'],
  async handler({ services }, { call }, values) {
    checkVisitor(call, values.narrow);
    const window = values.message_ids ? listOf(values, values.message_ids) : rangeOf(values);
    const view = {
      applyMarkdown: values.apply_markdown,
      clientGravatar: values.client_gravatar,
      isEmptyTopicUnderstood: values.allow_empty_topic_name,
    };
    const found = await services.messages.getMessages(call, { ...window, narrow: values.narrow, view });
    return {
      messages: await messagesAsJson(found, view, call),
      ...(found.anchor !== undefined && { anchor: found.anchor }),
      found_anchor: found.foundAnchor,
      found_oldest: found.foundOldest,
      found_newest: found.foundNewest,
      history_limited: false,
    };
  },
});

/** Written by messages; if messages has the previous version, which has no views, by the gateway. */
async function messagesAsJson({ messages, messagesJson }: GetMessagesResponse, view: MessageView, call: Caller) {
  if (messagesJson.length > 0) return new JsonPieces(messagesJson);
  return listInSlices(messages, (message) => foundMessage(message, view), call);
}

/** The parameters that `message_ids` excludes. */
const RANGE_PARAMETERS = 'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor';

function listOf(values: Parameters, messageIds: number[]) {
  const isRange = values.num_before > 0 || values.num_after > 0 || values.anchor !== undefined;
  if (isRange || values.use_first_unread_anchor || !values.include_anchor) {
    throw new BadRequestError(`Unsupported parameter combination: ${RANGE_PARAMETERS}`, {
      parameters: RANGE_PARAMETERS,
    });
  }
  refuseTooMany(messageIds.length);
  return { messageIds, numBefore: 0, numAfter: 0, includeAnchor: true };
}

function rangeOf(values: Parameters) {
  const anchor = decodeAnchor(values.anchor, values.use_first_unread_anchor, values.anchor_date);
  const { num_before: numBefore, num_after: numAfter, include_anchor: includeAnchor } = values;
  refuseTooMany(numBefore + numAfter);
  return { ...anchor, numBefore, numAfter, includeAnchor, messageIds: [] };
}

function refuseTooMany(count: number): void {
  if (count <= LIMITS.messagesPerFetch) return;
  throw new BadRequestError(`Too many messages requested (maximum ${LIMITS.messagesPerFetch}).`);
}

const VISITOR_OPERATORS = new Set(['channel', 'channels', 'topic', 'sender', 'has', 'search', 'near', 'id', 'with']);

/** Throws if a visitor requests more than web-public channels, or uses operators about themselves. */
function checkVisitor({ userId }: Caller, narrow: readonly NarrowTerm[]): void {
  if (userId !== VISITOR_ID) return;
  const isWebPublic = narrow.some(
    ({ operator, text, isNegated }) => operator === 'channels' && text === 'web-public' && !isNegated,
  );
  if (isWebPublic && narrow.every(({ operator }) => VISITOR_OPERATORS.has(operator))) return;
  throw new UnauthorizedError('Not logged in: API authentication or user session required');
}

export const getMessage = endpoint({
  method: 'GET',
  path: '/messages/{message_id}',
  summary: 'Get one message',
  auth: 'user',
  isOpenToVisitors: true,
  parameters: {
    message_id: pathId(),
    apply_markdown: json(z.boolean().default(true)),
    allow_empty_topic_name: json(z.boolean().default(false)),
  },
  result: z.strictObject({ message: messageSchema, raw_content: z.string().describe('Deprecated.') }),
  errors: [],
  async handler({ services }, { call }, values) {
    const message = await services.messages.getMessage(call, { messageId: values.message_id });
    const view = {
      applyMarkdown: values.apply_markdown,
      clientGravatar: true,
      isEmptyTopicUnderstood: values.allow_empty_topic_name,
    };
    return { message: messageForReader(message, view) as MessageForReader, raw_content: message.content };
  },
});

const snapshotSchema = z.strictObject({
  user_id: z.int().nullable(),
  timestamp: z.int(),
  topic: z.string().describe('Empty for direct messages.'),
  content: z.string().optional(),
  rendered_content: z.string().optional(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  content_html_diff: z.string().optional(),
  prev_topic: z.string().optional(),
  prev_stream: z.int().optional(),
  stream: z.int().optional(),
});

export const getMessageHistory = endpoint({
  method: 'GET',
  path: '/messages/{message_id}/history',
  summary: "Get a message's edit history, oldest first",
  auth: 'user',
  parameters: { message_id: pathId(), allow_empty_topic_name: json(z.boolean().default(false)) },
  result: z.strictObject({ message_history: z.array(snapshotSchema) }),
  errors: [],
  async handler({ services }, { call }, { message_id: messageId, allow_empty_topic_name: isEmptyTopicUnderstood }) {
    const { snapshots, isDirect } = await services.messages.getMessageHistory(call, { messageId });
    const shown = (topic: string) => (isDirect ? '' : displayTopic(topic, isEmptyTopicUnderstood));
    return { message_history: await listInSlices(snapshots, (snapshot) => publicSnapshot(snapshot, shown), call) };
  },
});

function publicSnapshot(snapshot: MessageSnapshot, shown: (topic: string) => string) {
  const { userId, editedAtMs, topic, content, prevContent, contentHtmlDiff, prevTopic, prevChannelId } = snapshot;
  return {
    user_id: userId,
    timestamp: toSeconds(editedAtMs),
    topic: shown(topic),
    ...(content !== undefined && { content, rendered_content: snapshot.renderedContent }),
    ...(prevContent !== undefined && {
      prev_content: prevContent,
      prev_rendered_content: snapshot.prevRenderedContent,
      content_html_diff: contentHtmlDiff,
    }),
    ...(prevTopic !== undefined && { prev_topic: shown(prevTopic) }),
    ...(prevChannelId !== undefined && { prev_stream: prevChannelId, stream: snapshot.channelId }),
  };
}

const matchSchema = z.strictObject({
  match_content: z.string().describe('HTML, with what was searched for highlighted.'),
  match_subject: z.string().describe('The topic as HTML, likewise.'),
});

export const matchNarrow = endpoint({
  method: 'GET',
  path: '/messages/matches_narrow',
  summary: 'Tell which messages a narrow leaves',
  auth: 'user',
  parameters: {
    msg_ids: json(z.array(z.int())),
    narrow: json(narrowSchema.unwrap(), { read: decodeNarrow }),
  },
  result: z.strictObject({ messages: z.record(z.string(), matchSchema).describe('By message id.') }),
  errors: ['BAD_NARROW'],
  async handler({ services }, { call }, { msg_ids: messageIds, narrow }) {
    const { matches } = await services.messages.matchNarrow(call, { messageIds, narrow });
    const entries = matches.map(({ messageId, matchContent, matchTopic }) => [
      messageId,
      { match_content: matchContent, match_subject: matchTopic },
    ]);
    return { messages: Object.fromEntries(entries) };
  },
});

const MAX_HASH_LENGTH = 64;
const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'];

export const editMessage = endpoint({
  method: 'PATCH',
  path: '/messages/{message_id}',
  summary: 'Edit a message, or move it alone or with others of its topic',
  auth: 'user',
  parameters: {
    message_id: pathId(),
    topic: text(z.string().optional(), { alias: 'subject' }),
    propagate_mode: text(z.string().default('change_one')),
    send_notification_to_old_thread: json(z.boolean().default(false)),
    send_notification_to_new_thread: json(z.boolean().default(true)),
    content: text(z.string().optional()),
    prev_content_sha256: text(opaqueText(MAX_HASH_LENGTH).optional()),
    stream_id: json(z.int().nonnegative().optional()),
  },
  result: z.strictObject({ detached_uploads: z.array(attachmentSchema) }),
  errors: [
    'EXPECTATION_MISMATCH',
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
  async handler({ services }, { call }, values) {
    const { topic, content, stream_id: channelId, prev_content_sha256: prevContentSha256 } = values;
    const { propagate_mode: propagateMode } = values;
    if (!PROPAGATE_MODES.includes(propagateMode)) throw new BadRequestError('Invalid propagate_mode');
    const { detachedUploads } = await services.messages.editMessage(call, {
      messageId: values.message_id,
      ...(topic !== undefined && { topic }),
      ...(channelId !== undefined && { channelId }),
      ...(content !== undefined && { content }),
      ...(prevContentSha256 !== undefined && { prevContentSha256 }),
      propagateMode,
      tellsOldTopic: values.send_notification_to_old_thread,
      tellsNewTopic: values.send_notification_to_new_thread,
    });
    return { detached_uploads: detachedUploads.map(publicAttachment) };
  },
});

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/messages/{message_id}',
  summary: 'Delete a message',
  auth: 'user',
  parameters: { message_id: pathId() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { message_id: messageId }) {
    await services.messages.deleteMessage(call, { messageId });
    return {};
  },
});

export const renderContent = endpoint({
  method: 'POST',
  path: '/messages/render',
  summary: 'Show what a message would look like',
  auth: 'user',
  parameters: { content: text(z.string()) },
  result: z.strictObject({ rendered: z.string().describe('HTML.') }),
  errors: [],
  handler({ services }, { call }, { content }) {
    return services.messages.renderContent(call, { content });
  },
});

const reportText = z.string().trim().pipe(boundedText(LIMITS.reportDescriptionLength));

export const reportMessage = endpoint({
  method: 'POST',
  path: '/messages/{message_id}/report',
  summary: "Report a message to the organization's moderators",
  auth: 'user',
  parameters: {
    message_id: pathId(),
    report_type: text(z.enum(REPORT_TYPE_KEYS)),
    description: text(reportText.default('').describe('Required for `other`.')),
  },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { message_id: messageId, report_type: reportType, ...values }) {
    await services.messages.reportMessage(call, { messageId, reportType, description: values.description });
    return {};
  },
});
