import { BadRequestError } from '@parley/shared/errors';
import { LIMITS } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint, type Values } from '../../http/endpoint';
import { listInSlices } from '../../http/json-pieces';
import { json, text } from '../../http/parameters';
import { foundMessage, foundMessageSchema } from '../../wire/message';
import { checkVisitor } from './check-visitor';
import { decodeAnchor } from './decode-anchor';
import { decodeNarrow, narrowSchema } from './decode-narrow';
import { searchLimit } from './search-limit';

const parameters = {
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

type Parameters = Values<typeof parameters>;

export const getMessages = endpoint({
  method: 'GET',
  path: '/messages',
  summary: 'Get messages around an anchor, or by id',
  auth: 'user',
  isHot: true,
  isOpenToVisitors: true,
  parameters,
  ownLimitOf: searchLimit,
  result: z.strictObject({
    messages: z.array(foundMessageSchema).describe('By ascending id.'),
    // NOTE: the anchor `newest` is 10^16, which is exact but no safe integer.
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
    const found = await services.messages.getMessages(call, { ...window, narrow: values.narrow });
    const view = {
      applyMarkdown: values.apply_markdown,
      clientGravatar: values.client_gravatar,
      isEmptyTopicUnderstood: values.allow_empty_topic_name,
    };
    return {
      messages: await listInSlices(found.messages, (message) => foundMessage(message, view), call),
      ...(found.anchor !== undefined && { anchor: found.anchor }),
      found_anchor: found.foundAnchor,
      found_oldest: found.foundOldest,
      found_newest: found.foundNewest,
      history_limited: false,
    };
  },
});

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
