import type { Sql } from '@parley/shared/db';
import type { Linkifier } from '@parley/shared/proto';

/** SQL: an organization's linkifiers as a JSON array, in their order. The argument is SQL. */
// NOTE: a scalar subquery over the primary key; see send-facts.sql.ts.
export function linkifiersOf(realmId: string): string {
  return `(select coalesce(json_agg(json_build_object(
      'id', l.id, 'pattern', l.pattern, 'urlTemplate', l.url_template) order by l.position, l.id), '[]')
    from linkifier l where l.realm_id = ${realmId})`;
}

export async function listLinkifiersOf(sql: Sql, realmId: number): Promise<Linkifier[]> {
  const [row] = await sql.query<{ linkifiers: Linkifier[] }>(`select ${linkifiersOf('$1')} as linkifiers`, [realmId]);
  return (row as { linkifiers: Linkifier[] }).linkifiers;
}

type NewLinkifier = Pick<Linkifier, 'pattern' | 'urlTemplate'>;

/** Adds a linkifier after all others and returns its id. */
export async function insertLinkifier(sql: Sql, realmId: number, linkifier: NewLinkifier): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `insert into linkifier (realm_id, pattern, url_template, position)
     values ($1, $2, $3, (select coalesce(max(position) + 1, 0) from linkifier where realm_id = $1))
     returning id`,
    [realmId, linkifier.pattern, linkifier.urlTemplate],
  );
  return (row as { id: number }).id;
}

export async function storeLinkifier(sql: Sql, realmId: number, linkifier: Linkifier): Promise<void> {
  await sql.query('update linkifier set pattern = $3, url_template = $4 where realm_id = $1 and id = $2', [
    realmId,
    linkifier.id,
    linkifier.pattern,
    linkifier.urlTemplate,
  ]);
}

export async function deleteLinkifier(sql: Sql, realmId: number, linkifierId: number): Promise<void> {
  await sql.query('delete from linkifier where realm_id = $1 and id = $2', [realmId, linkifierId]);
}

/** Puts linkifiers into the order of the ids. */
export async function storeLinkifierOrder(sql: Sql, realmId: number, orderedIds: readonly number[]): Promise<void> {
  await sql.query(
    `update linkifier l set position = place.n - 1
     from unnest($2::bigint[]) with ordinality as place (id, n)
     where l.realm_id = $1 and l.id = place.id`,
    [realmId, orderedIds],
  );
}
