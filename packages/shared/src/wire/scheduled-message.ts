import type { ScheduledMessage } from '../proto';
import { toSeconds } from '../values';

/** A scheduled message in the public dialect; called for GET /scheduled_messages, POST /register and events. */
export function publicScheduledMessage({ id, deliverAtMs, renderedContent, hasFailed, ...rest }: ScheduledMessage) {
  const { channelId, recipientIds, topic, content } = rest;
  return {
    scheduled_message_id: id,
    ...(channelId === undefined
      ? { type: 'private' as const, to: [...recipientIds] }
      : { type: 'stream' as const, to: channelId, topic }),
    content,
    rendered_content: renderedContent,
    scheduled_delivery_timestamp: toSeconds(deliverAtMs),
    failed: hasFailed,
  };
}
