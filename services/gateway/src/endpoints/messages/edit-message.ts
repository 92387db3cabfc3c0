import { BadRequestError } from '@parley/shared/errors';
import { publicAttachment } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, opaqueText, pathId, text } from '../../http/parameters';
import { attachmentSchema } from '../../wire/attachment';

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
