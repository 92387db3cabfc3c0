// A change of flags, its checks and its announcement are one statement each. A change that adds something of the user's locks the
// messages, as lockFlagged() does, and is stored only if none of them has moved since the decision.

import { eventText } from '@parley/shared/bus';
import { onlyRow, type Sql, statement } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import { z } from 'zod';
import type { PersonalFlag } from '../read-state/personal-flags.sql';
import { type FlaggedMessage, READ_STATE_LOCK } from '../read-state/read-state.sql';
import { marksInChannelLock, USERS_MARKS_LOCK } from '../read-state/stays-read.sql';

/** A change of some messages' flag, for one user. */
interface FlagStore {
  realmId: number;
  userId: number;
  messages: readonly FlaggedMessage[];
  /** The messages that the user did not receive. */
  historicalIds: readonly number[];
  /** Of all the messages. */
  event: DomainEvent;
}

const IS_ANNOUNCED = { isAnnounced: z.boolean() };
const OUTCOME = { ...IS_ANNOUNCED, isHeld: z.boolean() };

/** The result of a change. */
interface FlagOutcome {
  /** False: messages were moved or deleted meanwhile, or stay read for the user since, and nothing was stored. */
  isHeld: boolean;
  isAnnounced: boolean;
}

const lockConversations = (from: string) =>
  `select count(pg_advisory_xact_lock_shared(${READ_STATE_LOCK})) as count
     from (select distinct conversation_id as id from ${from} order by id offset 0) as conversation`;

/** SQL for the table `held`: one row, whether all messages are where they were. Locks them until the transaction ends. */
const HELD = `locked as materialized (
     select id, conversation_id, channel_id from message where realm_id = $1 and id = any($3) order by id for share
   ), locked_conversations as materialized (
     ${lockConversations('locked')}
   ), held as materialized (
     select count(*) = cardinality($3::bigint[]) as is_so
     from locked_conversations, unnest($3::bigint[], $4::bigint[], $5::bigint[]) as known (id, conversation_id, channel_id)
     join locked m on m.id = known.id and m.conversation_id = known.conversation_id
       and m.channel_id is not distinct from known.channel_id
   )`;

const announced = (payload: string, from: string) =>
  `announced as (insert into outbox (realm_id, kind, payload) select $1, $6, ${payload} from ${from} returning id)`;

const STORE_READ = statement(
  `with locked as materialized (
     ${lockConversations(`message where realm_id = $1 and id = any($3)`)}
   ), marked as (
     insert into read_exception as e (realm_id, user_id, conversation_id, read)
     select $1, $2, m.conversation_id, m.ids from locked, mark_ranges($1, case when locked.count >= 0 then $3::bigint[] end) m
     on conflict (realm_id, user_id, conversation_id)
     do update set read = e.read + excluded.read, unread = e.unread - excluded.read
     returning conversation_id
   )
   insert into outbox (realm_id, kind, payload) select $1, $4, $5 from (select count(*) as count from marked) as marks
   where marks.count >= 0`,
);

/** Marks the messages as read, wherever they are now. */
export async function storeRead(sql: Sql, { realmId, userId, messages, event }: FlagStore): Promise<void> {
  await sql.query(STORE_READ, [realmId, userId, messages.map(idOf), event.kind, eventText(event)]);
}

const STORE_UNREAD = statement(
  `with ${HELD}, locked_marks as materialized (
     select count(pg_advisory_xact_lock_shared(${USERS_MARKS_LOCK})) as count from held
   ), locked_channels as materialized (
     select count(pg_advisory_xact_lock_shared(${marksInChannelLock('id')})) as count from locked_marks, unnest($9::bigint[]) as id
     where locked_marks.count > 0
   ), decided as materialized (
     select held.is_so and not stays_read($1, $2, $9::bigint[], $10::bigint[], $11::bigint[]) as is_so
     from held, locked_channels where locked_channels.count >= 0
   ), marked as (
     insert into read_exception as e (realm_id, user_id, conversation_id, unread)
     select $1, $2, m.conversation_id, m.ids from decided, mark_ranges($1, case when is_so then $3::bigint[] end) m
     on conflict (realm_id, user_id, conversation_id)
     do update set unread = e.unread + excluded.unread, read = e.read - excluded.unread
     returning conversation_id
   ), historical as (
     insert into personal_flag (realm_id, user_id, message_id, is_historical)
     select $1, $2, id, true from decided, unnest($8::bigint[]) as id where is_so order by id on conflict do nothing
   ), ${announced('$7', '(select count(*) as count from marked) as marks where marks.count > 0')}
   select is_so as "isHeld", exists (select from announced) as "isAnnounced" from decided`,
  OUTCOME,
);

/** The facts of the decision that messages become unread: they may change until it is stored. */
export interface UnreadFacts {
  /** For each channel: the subscription version since which the user is known to receive its messages. */
  joinedVersions: ReadonlyMap<number, number>;
  senderIds: readonly number[];
}

/** Marks the messages as unread. */
export async function storeUnread(
  sql: Sql,
  { realmId, userId, messages, historicalIds, event }: FlagStore,
  { joinedVersions, senderIds }: UnreadFacts,
): Promise<FlagOutcome> {
  const facts = [[...joinedVersions.keys()], [...joinedVersions.values()], senderIds];
  const values = [realmId, userId, ...placesOf(messages), event.kind, eventText(event), historicalIds, ...facts];
  return onlyRow(await sql.query(STORE_UNREAD, values));
}

/** SQL for the payload: the text before the list of messages, the ids in a table, the text after it. */
const payloadOf = (before: string, after: string) =>
  `${before}::text || '${MESSAGE_IDS}[' || string_agg(id::text, ',' order by id) || ']' || ${after}::text`;
const MESSAGE_IDS = '"messageIds":';

/** The text of a payload before the list of messages, and after it. */
function aroundMessageIds(event: DomainEvent): [string, string] {
  const [before = '', after = ''] = eventText(event).split(`${MESSAGE_IDS}[]`);
  return [before, after];
}

const setting = (column: string, isShown: string, show: string) =>
  statement(
    `with ${HELD}, flagged as (
       insert into personal_flag as f (realm_id, user_id, message_id, ${column}, is_historical)
       select $1, $2, id, true, id = any($9::bigint[]) from held, unnest($3::bigint[]) as id where held.is_so order by id
       on conflict (realm_id, user_id, message_id) do update set ${show} where not (${isShown})
       returning f.message_id as id
     ), ${announced(payloadOf('$7', '$8'), 'flagged having count(*) > 0')}
     select is_so as "isHeld", exists (select from announced) as "isAnnounced" from held`,
    OUTCOME,
  );

// Clients do not have a star while the user may not read its message.
const SET = {
  starred: setting('is_starred', 'f.is_starred and f.is_star_shown', 'is_starred = true, is_star_shown = true'),
  collapsed: setting('is_collapsed', 'f.is_collapsed', 'is_collapsed = true'),
};

/** Sets the flag, and announces it for messages on which clients did not have it. The event comes without messages. */
export async function storeFlag(
  sql: Sql,
  flag: PersonalFlag,
  { realmId, userId, messages, historicalIds, event }: FlagStore,
): Promise<FlagOutcome> {
  const values = [realmId, userId, ...placesOf(messages), event.kind, ...aroundMessageIds(event), historicalIds];
  return onlyRow(await sql.query(SET[flag], values));
}

const unsetting = (column: string, isShown: string) =>
  statement(
    `with unflagged as (
       update personal_flag set ${column} = false
       where realm_id = $1 and user_id = $2 and message_id = any($3) and ${column}
       returning message_id as id, ${isShown} as is_shown
     ), announced as (
       insert into outbox (realm_id, kind, payload) select $1, $4, ${payloadOf('$5', '$6')}
       from unflagged where is_shown having count(*) > 0 returning id
     )
     select exists (select from announced) as "isAnnounced"`,
    IS_ANNOUNCED,
  );

const UNSET = { starred: unsetting('is_starred', 'is_star_shown'), collapsed: unsetting('is_collapsed', 'true') };

/**
 * Removes the flag, and announces that for messages on which clients had it. The event comes without messages. A row without
 * flags stays: it says that the user once had a flag on the message.
 */
export async function storeUnflag(
  sql: Sql,
  flag: PersonalFlag,
  { realmId, userId, messages, event }: FlagStore,
): Promise<FlagOutcome> {
  const values = [realmId, userId, messages.map(idOf), event.kind, ...aroundMessageIds(event)];
  const { isAnnounced } = onlyRow(await sql.query(UNSET[flag], values));
  return { isHeld: true, isAnnounced };
}

function placesOf(messages: readonly FlaggedMessage[]) {
  return [
    messages.map(idOf),
    messages.map(({ conversationId }) => conversationId),
    messages.map(({ channelId }) => channelId),
  ];
}

function idOf({ id }: FlaggedMessage): number {
  return id;
}
