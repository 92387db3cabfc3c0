import type { Sql } from '@parley/shared/db';
import type { AllowedDomain } from '@parley/shared/proto';

/** SQL: the domains of an organization's addresses as a JSON array, by id. The argument is SQL. */
export function allowedDomainsOf(realmId: string): string {
  return `(select coalesce(json_agg(json_build_object('id', d.id, 'domain', d.domain,
      'allowsSubdomains', d.allows_subdomains) order by d.id), '[]')
    from allowed_domain d where d.realm_id = ${realmId})`;
}

export async function listAllowedDomainsOf(sql: Sql, realmId: number): Promise<AllowedDomain[]> {
  const [row] = await sql.query<{ list: AllowedDomain[] }>(`select ${allowedDomainsOf('$1')} as list`, [realmId]);
  return (row as { list: AllowedDomain[] }).list;
}

export async function insertAllowedDomain(
  sql: Sql,
  realmId: number,
  { domain, allowsSubdomains }: Omit<AllowedDomain, 'id'>,
): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    'insert into allowed_domain (realm_id, domain, allows_subdomains) values ($1, $2, $3) returning id',
    [realmId, domain, allowsSubdomains],
  );
  return (row as { id: number }).id;
}

export async function storeAllowedDomain(sql: Sql, realmId: number, domain: AllowedDomain): Promise<void> {
  await sql.query('update allowed_domain set allows_subdomains = $3 where realm_id = $1 and id = $2', [
    realmId,
    domain.id,
    domain.allowsSubdomains,
  ]);
}

export async function deleteAllowedDomain(sql: Sql, realmId: number, domainId: number): Promise<void> {
  await sql.query('delete from allowed_domain where realm_id = $1 and id = $2', [realmId, domainId]);
}
