import { type Sql, statement } from '@parley/shared/db';
import type { Reaction, Submessage } from '@parley/shared/proto';
import { type EditRow, editsOf } from '../edits/edit-history.sql';
import { STORED_STATE, type StoredReadState, storedStateJoins } from '../read-state/read-state.sql';
import { type MessageRow, messageRows } from './message.sql';

/** A message with all that a reader is shown of it, but for its users. */
export interface ShownMessageRow extends MessageRow {
  stored: StoredReadState;
  /** Oldest first. */
  reactions: Reaction[];
  /** In the order in which they were made. */
  submessages: Submessage[];
  /** The newest first. */
  edits: EditRow[];
}

// Few messages were edited: for all others a look into two indexes is enough.
const EDITS = `case when exists (select from message_edit e where e.realm_id = m.realm_id and e.message_id = m.id)
       or exists (select from topic_edit e where e.realm_id = m.realm_id and e.conversation_id = m.conversation_id)
     then (
       select json_agg(to_jsonb(e) || jsonb_build_object('editedAtMs', floor(extract(epoch from e."editedAtMs") * 1000))
         order by e."editId" desc)
       from (select m.id) as shown (id) cross join lateral (${editsOf('array[shown.id]')}) e
     ) end`;

const LOAD = statement(
  'load-shown-messages',
  messageRows(`, (
       select row_to_json(s) from (select m.id as "messageId", ${STORED_STATE} from (select) one ${storedStateJoins('$3')}) s
     ) as stored, coalesce((
       select json_agg(json_build_object('userId', r.user_id, 'emojiName', r.emoji_name, 'emojiCode', r.emoji_code,
         'reactionType', r.reaction_type) order by r.id)
       from reaction r where r.realm_id = m.realm_id and r.message_id = m.id
     ), '[]') as reactions, coalesce((
       select json_agg(json_build_object('id', s.id, 'messageId', s.message_id, 'senderId', s.sender_id, 'msgType', s.msg_type,
         'content', s.content) order by s.id)
       from submessage s where s.realm_id = m.realm_id and s.message_id = m.id
     ), '[]') as submessages, coalesce(${EDITS}, '[]') as edits`),
);

/** Messages by id, ascending, as they are for a reader; ids that do not exist are left out. */
export function loadShownMessages(
  sql: Sql,
  realmId: number,
  messageIds: readonly number[],
  readerId: number,
): Promise<ShownMessageRow[]> {
  return sql.query(LOAD, [realmId, messageIds, readerId]);
}
