import type { DraftInput } from '@parley/shared/proto';
import { z } from 'zod';

const DRAFT_TYPES = ['', 'stream', 'private'] as const;
const KINDS = { '': '', stream: 'channel', private: 'direct' };
const MAX_RECIPIENTS = 1_000;
/** Seconds; the end of the year 9999. */
const LAST_TIMESTAMP = 253_402_300_799;

export const draftSchema = z.strictObject({
  id: z.int(),
  type: z.enum(DRAFT_TYPES),
  to: z.array(z.int()).describe('One channel, or the other participants; for no type empty.'),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int().describe('Of the last edit.'),
});

/** A draft as clients send it. Other members, even an id, are refused. */
export const draftInputSchema = z.strictObject({
  type: z.enum(DRAFT_TYPES),
  to: z.array(z.int()).max(MAX_RECIPIENTS),
  topic: z.string(),
  content: z.string().trim().min(1),
  timestamp: z.number().max(LAST_TIMESTAMP).nullish().describe('Of the last edit, in seconds; absent: now.'),
});

export function draftFromWire(draft: z.output<typeof draftInputSchema>): DraftInput {
  const { type, to, topic, content, timestamp } = draft;
  return {
    kind: KINDS[type],
    toIds: to,
    topic,
    content,
    // All negative numbers get the same error.
    ...(typeof timestamp === 'number' && { editedAtMs: timestamp < 0 ? -1 : Math.round(timestamp * 1_000) }),
  };
}

export const savedSnippetSchema = z.strictObject({
  id: z.int(),
  title: z.string(),
  content: z.string(),
  date_created: z.int(),
});

export const scheduledMessageSchema = z.strictObject({
  scheduled_message_id: z.int(),
  type: z.enum(['stream', 'private']),
  to: z
    .union([z.int(), z.array(z.int())])
    .describe('A channel, or the other participants; oneself when there are none.'),
  topic: z.string().optional().describe('Of a channel message.'),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean().describe('It could not be sent when it was due.'),
});

export const reminderSchema = z.strictObject({
  reminder_id: z.int(),
  type: z.literal('private'),
  to: z.array(z.int()),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean(),
  reminder_target_message_id: z.int(),
});
