import type { Sql } from '@parley/shared/db';
import type { Playground } from '@parley/shared/proto';

/** SQL: an organization's code playgrounds as a JSON array. The argument is SQL. */
export function playgroundsOf(realmId: string): string {
  return `(select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name,
      'pygmentsLanguage', p.pygments_language, 'urlTemplate', p.url_template) order by p.id), '[]')
    from playground p where p.realm_id = ${realmId})`;
}

export async function listPlaygroundsOf(sql: Sql, realmId: number): Promise<Playground[]> {
  const [row] = await sql.query<{ list: Playground[] }>(`select ${playgroundsOf('$1')} as list`, [realmId]);
  return (row as { list: Playground[] }).list;
}

export async function insertPlayground(sql: Sql, realmId: number, playground: Omit<Playground, 'id'>): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    'insert into playground (realm_id, name, pygments_language, url_template) values ($1, $2, $3, $4) returning id',
    [realmId, playground.name, playground.pygmentsLanguage, playground.urlTemplate],
  );
  return (row as { id: number }).id;
}

export async function deletePlayground(sql: Sql, realmId: number, playgroundId: number): Promise<void> {
  await sql.query('delete from playground where realm_id = $1 and id = $2', [realmId, playgroundId]);
}
