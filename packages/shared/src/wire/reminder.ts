import type { Reminder } from '../proto';
import { toSeconds } from '../values';

/** A reminder in the public dialect; called for GET /reminders, POST /register and events. */
export function publicReminder({ id, userId, messageId, content, renderedContent, deliverAtMs, hasFailed }: Reminder) {
  return {
    reminder_id: id,
    type: 'private' as const,
    to: [userId],
    content,
    rendered_content: renderedContent,
    scheduled_delivery_timestamp: toSeconds(deliverAtMs),
    failed: hasFailed,
    reminder_target_message_id: messageId,
  };
}
