import { statement, type Transaction } from '@parley/shared/db';

const INSERT = statement(
  `insert into direct_contact (realm_id, user_id, contact_id)
   select distinct $1::bigint, a.value::bigint, b.value::bigint
   from json_array_elements($2::json) list
   cross join json_array_elements_text(list.value) a
   cross join json_array_elements_text(list.value) b
   where a.value <> b.value
   order by 2, 3
   on conflict do nothing`,
);

/** Stores that the users of each list know each other; existing pairs stay. */
export async function insertDirectContacts(
  tx: Transaction,
  realmId: number,
  lists: readonly (readonly number[])[],
): Promise<void> {
  await tx.query(INSERT, [realmId, JSON.stringify(lists)]);
}
