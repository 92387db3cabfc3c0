import { onlyRow, type Sql, statement } from '@parley/shared/db';
import { type AllowedDomain, messageShape } from '@parley/shared/proto';
import { z } from 'zod';

/** SQL: an organization's allowed domains as a JSON array, by id. The argument is SQL. */
export function allowedDomainsOf(realmId: string): string {
  return `(select coalesce(json_agg(json_build_object('id', d.id, 'domain', d.domain,
      'allowsSubdomains', d.allows_subdomains) order by d.id), '[]')
    from allowed_domain d where d.realm_id = ${realmId})`;
}

const LIST = statement(`select ${allowedDomainsOf('$1')} as list`, {
  list: z.array(messageShape<AllowedDomain>('realm', 'AllowedDomain')),
});

/** Also for checks of addresses within other transactions. */
export async function listAllowedDomainsOf(sql: Sql, realmId: number): Promise<AllowedDomain[]> {
  return onlyRow(await sql.query(LIST, [realmId])).list;
}
