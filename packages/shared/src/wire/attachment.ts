import type { Attachment } from '../proto';
import { toSeconds } from '../values';

/** A file as its owner sees it in the API. */
export function publicAttachment({ id, name, pathId, size, createdAtMs, messages }: Attachment) {
  return {
    id,
    name,
    path_id: pathId,
    size,
    create_time: toSeconds(createdAtMs),
    messages: messages.map((message) => ({ id: message.id, date_sent: toSeconds(message.sentAtMs) })),
    // COMPAT(level 472): clients of this level and later read these.
    message_ids: messages.map((message) => message.id),
  };
}
