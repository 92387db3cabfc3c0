import { z } from 'zod';

const recipientSchema = z.strictObject({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
});

const editSchema = z.strictObject({
  user_id: z.int().nullable(),
  timestamp: z.int(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  prev_topic: z.string().optional(),
  topic: z.string().optional(),
  prev_stream: z.int().optional(),
  stream: z.int().optional(),
});

export const messageSchema = z.strictObject({
  id: z.int(),
  type: z.enum(['stream', 'private']),
  content: z.string(),
  content_type: z.enum(['text/html', 'text/x-markdown']),
  subject: z.string().describe('The topic; empty for direct messages.'),
  stream_id: z.int().optional().describe('Channel messages only.'),
  display_recipient: z
    .union([z.string(), z.array(recipientSchema)])
    .describe("The channel's name, or the participants of a direct conversation."),
  recipient_id: z.int(),
  sender_id: z.int(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string(),
  avatar_url: z.string().nullable(),
  client: z.string(),
  timestamp: z.int(),
  is_me_message: z.boolean(),
  flags: z.array(z.string()),
  reactions: z.array(
    z.strictObject({ emoji_name: z.string(), emoji_code: z.string(), reaction_type: z.string(), user_id: z.int() }),
  ),
  submessages: z.array(
    z.strictObject({
      id: z.int(),
      message_id: z.int(),
      sender_id: z.int(),
      msg_type: z.string(),
      content: z.string(),
    }),
  ),
  topic_links: z.array(z.strictObject({ text: z.string(), url: z.string() })),
  edit_history: z.array(editSchema).optional().describe('Newest first, as far as the organization shows it.'),
  last_edit_timestamp: z.int().optional().describe('When the content was last edited.'),
  last_moved_timestamp: z.int().optional().describe('When it was last moved; resolving a topic is no move.'),
});

/** The result of messageForReader(). */
export type MessageForReader = z.infer<typeof messageSchema>;

/** Also with a search's highlighted matches. */
export const foundMessageSchema = messageSchema.extend({
  match_content: z.string().optional().describe('HTML, with what was searched for highlighted; after a search only.'),
  match_subject: z.string().optional().describe('The topic as HTML, likewise.'),
});

/** A file as its owner sees it. */
export const attachmentSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  path_id: z.string(),
  size: z.int(),
  create_time: z.int(),
  messages: z.array(z.strictObject({ id: z.int(), date_sent: z.int() })),
  message_ids: z.array(z.int()),
});
