/** Who has set what on a message, apart from what their subscriptions and mutings make of it. */
export interface FlagHolders {
  /** Those who have read it, or for whom it began as read; not those of whom everybody's exceptions tell (beganUnreadFor). */
  hasReadIds: number[];
  starredByIds: number[];
  collapsedByIds: number[];
}

/** SPEC-GAP: no bound is documented; clients of so many at most are told what they have set, in an event that is one record. */
const MOST = 10_000;

const flagged = (column: string) =>
  `array(select f.user_id from personal_flag f where f.realm_id = m.realm_id and f.message_id = m.id and f.${column} limit ${MOST})`;

/** Columns of FlagHolders for a message `m`; read state as isRead() has it, from the message to its readers. */
export const FLAG_HOLDERS = `array(
       select e.user_id from read_exception e
       where e.realm_id = m.realm_id and e.conversation_id = m.conversation_id and e.read @> m.id
       union
       select p.user_id from (
         select c.user_id, true as is_passed from channel_read_watermark c
         where c.realm_id = m.realm_id and c.channel_id = m.channel_id and c.message_id >= m.id
         union all
         select w.user_id, true from read_watermark w where w.realm_id = m.realm_id and w.message_id >= m.id
         union all
         select r.id, false from unnest(m.read_by_ids) as r (id) where r.id > 0
         union all
         select m.sender_id, false where m.is_read_by_sender
       ) p left join read_exception e
         on e.realm_id = m.realm_id and e.user_id = p.user_id and e.conversation_id = m.conversation_id
       where not coalesce(e.unread @> m.id or (p.is_passed and e.unpassed @> m.id), false)
       limit ${MOST}
     ) as "hasReadIds", ${flagged('is_starred')} as "starredByIds", ${flagged('is_collapsed')} as "collapsedByIds"`;
