import { type Sql, statement } from '@parley/shared/db';

/** SQL: an organization's linkifiers as a JSON array, in their order. The argument is SQL. */
// NOTE: a scalar subquery over the primary key; see send-facts.sql.ts.
export function linkifiersOf(realmId: string): string {
  return `(select coalesce(json_agg(json_build_object(
      'id', l.id, 'pattern', l.pattern, 'urlTemplate', l.url_template) order by l.position, l.id), '[]')
    from linkifier l where l.realm_id = ${realmId})`;
}

const STORE_ORDER = statement(
  `update linkifier l set position = place.n - 1
   from unnest($2::bigint[]) with ordinality as place (id, n)
   where l.realm_id = $1 and l.id = place.id`,
);

/** Stores the order of linkifiers, in one statement. */
export async function storeLinkifierOrder(sql: Sql, realmId: number, orderedIds: readonly number[]): Promise<void> {
  await sql.query(STORE_ORDER, [realmId, orderedIds]);
}
