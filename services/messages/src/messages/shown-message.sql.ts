import { type Sql, statement } from '@parley/shared/db';
import { messageShape, type Reaction, type Submessage } from '@parley/shared/proto';
import { z } from 'zod';
import { wasGiven } from '../read-state/first-history.sql';
import { STORED_STATE, STORED_STATE_ROW, storedStateJoins } from '../read-state/read-state.sql';
import { EDIT_ROW, editsOf } from './edits.sql';
import { MESSAGE_ROW, type MessageRow, messageRows } from './message.sql';

const SHOWN_STATE = z.strictObject({
  messageId: z.number(),
  ...STORED_STATE_ROW,
  /** Part of what the reader was given when they came. */
  isGiven: z.boolean(),
});

export type ShownState = z.infer<typeof SHOWN_STATE>;

/** A message with all that a reader is shown of it, but for its users. */
const SHOWN_MESSAGE_ROW = {
  ...MESSAGE_ROW,
  stored: SHOWN_STATE,
  /** Oldest first. */
  reactions: z.array(messageShape<Reaction>('messages', 'Reaction')),
  /** In the order in which they were made. */
  submessages: z.array(messageShape<Submessage>('messages', 'Submessage')),
  /** The newest first. */
  edits: z.array(z.strictObject(EDIT_ROW)),
};

export type ShownMessageRow = z.infer<z.ZodObject<typeof SHOWN_MESSAGE_ROW>>;

/** Of what one answer holds; a search repeats the HTML, with marks in it. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_BYTES_OF_SEARCH = 6 * 1024 * 1024;

// Few messages were edited: for all others a look into two indexes is enough.
const EDITS = `case when exists (select from message_edit e where e.realm_id = m.realm_id and e.message_id = m.id)
       or exists (select from topic_edit e where e.realm_id = m.realm_id and e.conversation_id = m.conversation_id)
     then (
       select json_agg(to_jsonb(e) || jsonb_build_object('editedAtMs', floor(extract(epoch from e."editedAtMs") * 1000))
         order by e."editId" desc)
       from (select m.id) as shown (id) cross join lateral (${editsOf('array[shown.id]')}) e
     ) end`;

/**
 * Of the ids, in their order, as many as can be answered together: some messages are a megabyte of HTML, or were edited often. `more`:
 * the bytes of what is answered beside what a message says.
 */
const fitting = (more = '0') => `with fitting as (
     select sized.id from (
       select wanted.id, wanted.place,
         sum(octet_length(m.content) + octet_length(m.rendered_content) + ${more}) over (order by wanted.place) as bytes
       from unnest($2::bigint[]) with ordinality as wanted (id, place) join message m on m.realm_id = $1 and m.id = wanted.id
     ) sized where sized.bytes <= $4 or sized.place = 1
   )`;

const EDIT_AND_SUBMESSAGE_BYTES = `coalesce((
         select sum(octet_length(e.prev_content) + octet_length(e.prev_rendered_content)) from message_edit e
         where e.realm_id = m.realm_id and e.message_id = m.id
       ), 0) + coalesce((
         select sum(octet_length(s.content)) from submessage s where s.realm_id = m.realm_id and s.message_id = m.id
       ), 0)`;

const LOAD = statement(
  `${fitting(EDIT_AND_SUBMESSAGE_BYTES)} ${messageRows(
    `, (
       select row_to_json(s) from (select m.id as "messageId", ${STORED_STATE}, coalesce(${wasGiven('$3')}, false) as "isGiven"
         from (select) one ${storedStateJoins('$3')}) s
     ) as stored, coalesce((
       select json_agg(json_build_object('userId', r.user_id, 'emojiName', r.emoji_name, 'emojiCode', r.emoji_code,
         'reactionType', r.reaction_type) order by r.id)
       from reaction r where r.realm_id = m.realm_id and r.message_id = m.id
     ), '[]') as reactions, coalesce((
       select json_agg(json_build_object('id', s.id, 'messageId', s.message_id, 'senderId', s.sender_id, 'msgType', s.msg_type,
         'content', s.content) order by s.id)
       from submessage s where s.realm_id = m.realm_id and s.message_id = m.id
     ), '[]') as submessages, coalesce(${EDITS}, '[]') as edits`,
    'array(select id from fitting)',
  )}`,
  SHOWN_MESSAGE_ROW,
);

/**
 * Messages by id, ascending, as they are for a reader; ids that do not exist are left out, and of large messages those whose ids are
 * the last.
 */
export function loadShownMessages(
  sql: Sql,
  realmId: number,
  messageIds: readonly number[],
  readerId: number,
  isSearch = false,
): Promise<ShownMessageRow[]> {
  return sql.query(LOAD, [realmId, messageIds, readerId, isSearch ? MAX_BYTES_OF_SEARCH : MAX_BYTES]);
}

const LOAD_PLAIN = statement(`${fitting()} ${messageRows('', 'array(select id from fitting)')}`, MESSAGE_ROW);

/** The same without what others have added, and without what is stored of the reader. */
export function loadFittingMessages(
  sql: Sql,
  realmId: number,
  messageIds: readonly number[],
  readerId: number,
): Promise<MessageRow[]> {
  return sql.query(LOAD_PLAIN, [realmId, messageIds, readerId, MAX_BYTES_OF_SEARCH]);
}
