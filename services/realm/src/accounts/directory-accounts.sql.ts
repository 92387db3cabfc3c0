import { type Sql, statement } from '@parley/shared/db';

const IS_OF_DIRECTORY = statement(
  `select from ldap_identity i join ldap_directory d on d.realm_id = i.realm_id and d.is_enabled
   where i.realm_id = $1 and i.user_id = $2`,
  {},
);

/** Whether the organization's directory in use decides about the account's name, address and password. */
export async function isOfDirectory(sql: Sql, realmId: number, userId: number): Promise<boolean> {
  return (await sql.query(IS_OF_DIRECTORY, [realmId, userId])).length > 0;
}
