import { type Sql, statement } from '@parley/shared/db';

/** Lists whose changes are counted by triggers: those shared by many readers, recently active users, the rules for reading messages, and alert words. */
export type CountedList =
  | 'users'
  | 'groups'
  | 'channels'
  | 'subscribers'
  | 'present'
  | 'statuses'
  | 'bots'
  | 'reading'
  | 'alert_words';

/** SQL: the number of changes of the organization's list: equal numbers mean no change in between. `realmId` is SQL. */
export function changesOf(list: CountedList, realmId = '$1'): string {
  return `(select coalesce(sum(c.changes), 0) from list_change c where c.realm_id = ${realmId} and c.list = '${list}')`;
}

/** SQL: the number of changes of what a user alone decides about their reading: subscriptions, settings, muted users, alert words. */
export function changesOfReader(realmId: string, userId: string): string {
  return `(select coalesce(sum(c.changes), 0) from reader_change c where c.realm_id = ${realmId} and c.user_id = ${userId})`;
}

const folding = (table: string, key: string) =>
  statement(
    `with idle as (
       select realm_id, ${key}, backend from ${table} where backend <> 0 for update skip locked
     ), folded as (
       delete from ${table} c using idle i
       where c.realm_id = i.realm_id and c.${key} = i.${key} and c.backend = i.backend
       returning c.realm_id, c.${key}, c.changes
     )
     insert into ${table} as c (realm_id, ${key}, backend, changes)
     select realm_id, ${key}, 0, sum(changes) from folded group by realm_id, ${key}
     on conflict (realm_id, ${key}, backend) do update set changes = c.changes + excluded.changes`,
  );
const [FOLD_LISTS, FOLD_READERS] = [folding('list_change', 'list'), folding('reader_change', 'user_id')];

/**
 * Folds the counts of backends into one row for each list and each reader, skipping locked rows; sums stay the same. Must not run
 * concurrently: each run would skip the other's rows.
 */
export async function foldListChanges(sql: Sql): Promise<void> {
  await sql.query(FOLD_LISTS);
  await sql.query(FOLD_READERS);
}
