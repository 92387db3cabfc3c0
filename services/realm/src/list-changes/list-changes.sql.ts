import { type Sql, statement } from '@parley/shared/db';

/** Lists whose changes are counted by triggers: those shared by many readers, and recently active users. */
export type CountedList = 'users' | 'groups' | 'channels' | 'subscribers' | 'present' | 'statuses';

/** SQL: the number of changes of the list of organization $1: equal numbers mean no change in between. */
export function changesOf(list: CountedList): string {
  return `(select coalesce(sum(c.changes), 0) from list_change c where c.realm_id = $1 and c.list = '${list}')`;
}

const FOLD = statement(
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

/**
 * Folds the counts of backends into one row for each list, skipping locked rows; sums stay the same. Must not run concurrently: each run
 * would skip the other's rows.
 */
export async function foldListChanges(sql: Sql): Promise<void> {
  await sql.query(FOLD);
}
