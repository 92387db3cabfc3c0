import type { Sql } from '@parley/shared/db';

/** Lists whose changes triggers count: those that are the same for many readers, and recently active users. */
export type CountedList = 'users' | 'groups' | 'channels' | 'subscribers' | 'present' | 'statuses';

/** SQL: how often the list of organization $1 has changed; who reads the same number twice has seen no change in between. */
export function changesOf(list: CountedList): string {
  return `(select coalesce(sum(c.changes), 0) from list_change c where c.realm_id = $1 and c.list = '${list}')`;
}

/**
 * Adds what backends have counted to one row for each list, but for rows that are in use. A reader sees the sum before or after,
 * which are the same. One at a time, as two would hold each other's rows.
 */
export async function foldListChanges(sql: Sql): Promise<void> {
  await sql.query(
    `with idle as (
       select realm_id, list, backend from list_change where backend <> 0 for update skip locked
     ), folded as (
       delete from list_change c using idle i
       where c.realm_id = i.realm_id and c.list = i.list and c.backend = i.backend
       returning c.realm_id, c.list, c.changes
     )
     insert into list_change as c (realm_id, list, backend, changes)
     select realm_id, list, 0, sum(changes) from folded group by realm_id, list
     on conflict (realm_id, list, backend) do update set changes = c.changes + excluded.changes`,
  );
}
