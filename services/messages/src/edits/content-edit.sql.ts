import { eventText } from '@parley/shared/bus';
import { type Sql, statement } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import { z } from 'zod';
import type { EditMark } from '../messages/edits.sql';
import { MESSAGE_ROW, messageRows } from '../messages/message.sql';
import { HOLDER_IDS } from '../read-state/personal-flags.sql';

/** A message, with the input of an edit of its content. */
const EDITED_MESSAGE_ROW = {
  ...MESSAGE_ROW,
  isWidget: z.boolean(),
  /** It links to uploaded files. */
  hasUploads: z.boolean(),
  /** The size of the contents before each of its edits. */
  historyBytes: z.number(),
  /** Users with flags on it who did not receive it. */
  holderIds: z.array(z.number()),
  /** By name or as members of a group. */
  mentionedIds: z.array(z.number()),
};

export type EditedMessageRow = z.infer<z.ZodObject<typeof EDITED_MESSAGE_ROW>>;

const LOAD = statement(
  messageRows(`,
     exists (select from submessage s where s.realm_id = m.realm_id and s.message_id = m.id) as "isWidget",
     exists (select from attachment_link l where l.realm_id = m.realm_id and l.message_id = m.id) as "hasUploads",
     coalesce((
       select sum(octet_length(e.prev_content) + octet_length(e.prev_rendered_content)) from message_edit e
       where e.realm_id = m.realm_id and e.message_id = m.id
     ), 0)::bigint as "historyBytes", ${HOLDER_IDS},
     array(select o.user_id from mention o where o.realm_id = m.realm_id and o.message_id = m.id) as "mentionedIds"`),
  EDITED_MESSAGE_ROW,
);

export async function loadEditedMessage(
  sql: Sql,
  realmId: number,
  messageId: number,
  readerId: number,
): Promise<EditedMessageRow | null> {
  const [row] = await sql.query(LOAD, [realmId, [messageId], readerId]);
  return row ?? null;
}

interface Contents {
  content: string;
  renderedContent: string;
}

export interface NewContent extends Contents {
  isMeMessage: boolean;
  mentionedIds: readonly number[];
  /**
   * Bots among them that are not in the channel: the message was delivered to them, and stays theirs if it no longer mentions
   * them.
   */
  mentionedBotIds: readonly number[];
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  /** The users mentioned by a wildcard of the topic. */
  topicParticipantIds: readonly number[];
}

/** A message as of the decision about the edit. */
interface EditedContent extends Contents {
  id: number;
  /** Null if the edit also moves it. */
  conversationId: number | null;
  /** The users named in the event; null: its holders. */
  holderIds: readonly number[] | null;
}

const UPDATE = statement(
  `with locked as materialized (
     select id from message
     where realm_id = $1 and id = $2 and content = $3 and ($4::bigint is null or conversation_id = $4)
     for no key update
   ), changed as (
     update message m set content = $5, rendered_content = $6, is_me_message = $7, mentions_channel = $8, mentions_topic = $9,
       topic_participant_ids = $10::bigint[]
     -- Read after the lock is taken, to include users who have starred the message meanwhile.
     from locked where m.realm_id = $1 and m.id = locked.id and ($19::bigint[] is null or flag_holders($1, locked.id) = $19)
     returning m.id
   ), forgotten as (
     delete from mention m using changed c where m.realm_id = $1 and m.message_id = c.id and m.user_id <> all($11::bigint[])
   ), mentioned as (
     insert into mention (realm_id, user_id, message_id)
     select $1, user_id, c.id from changed c cross join unnest($11::bigint[]) as user_id
     on conflict (realm_id, user_id, message_id) do nothing
   ), called as (
     insert into personal_flag (realm_id, user_id, message_id, is_historical, is_called)
     select $1, user_id, c.id, true, true from changed c cross join unnest($18::bigint[]) as user_id order by user_id
     on conflict (realm_id, user_id, message_id) do update set is_called = true
   ), edited as (
     insert into message_edit (realm_id, message_id, edit_id, actor_id, edited_at, prev_content, prev_rendered_content)
     select $1, c.id, coalesce($12::bigint, nextval('edit_id')), $13, to_timestamp($14 / 1000.0), $3, $15 from changed c
     on conflict (realm_id, message_id, edit_id)
     do update set prev_content = excluded.prev_content, prev_rendered_content = excluded.prev_rendered_content
   ), announced as (
     insert into outbox (realm_id, kind, payload)
     select $1, e.kind, e.payload from changed cross join unnest($16::text[], $17::text[]) with ordinality as e (kind, payload, n)
     order by e.n
   )
   select id from changed`,
  { id: z.number() },
);

/**
 * Changes a message's content, stores the former content, and announces the given events. The cause has no id if the
 * edit changes nothing else. False if the message, or the audience of the edit, has changed since the decision.
 */
export async function updateContent(
  sql: Sql,
  realmId: number,
  before: EditedContent,
  next: NewContent,
  { editId, actorId, editedAtMs }: Omit<EditMark, 'editId'> & { editId: number | null },
  events: readonly DomainEvent[] = [],
): Promise<boolean> {
  const rows = await sql.query(UPDATE, [
    realmId,
    before.id,
    before.content,
    before.conversationId,
    next.content,
    next.renderedContent,
    next.isMeMessage,
    next.mentionsChannel,
    next.mentionsTopic,
    next.topicParticipantIds,
    next.mentionedIds,
    editId,
    actorId,
    editedAtMs,
    before.renderedContent,
    events.map(({ kind }) => kind),
    events.map(eventText),
    next.mentionedBotIds,
    before.holderIds,
  ]);
  return rows.length > 0;
}
