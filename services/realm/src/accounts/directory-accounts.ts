import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import { isOfDirectory } from './directory-accounts.sql';

/** The properties of an account that the organization's directory decides. */
interface Decided {
  password?: boolean;
  name?: boolean;
  email?: boolean;
}

const TEXTS = {
  password: 'Your Parley password is managed in LDAP',
  name: 'Your name is managed in LDAP',
  email: 'Your email address is managed in LDAP',
} as const;

/** Refuses changes of one's own account about which the directory decides. */
export async function refuseWhatDirectoryDecides(
  sql: Sql,
  { realmId, id }: Pick<User, 'realmId' | 'id'>,
  decided: Decided,
  texts: Readonly<Record<keyof typeof TEXTS, string>> = TEXTS,
): Promise<void> {
  const what = (['password', 'name', 'email'] as const).find((each) => decided[each] === true);
  if (what !== undefined && (await isOfDirectory(sql, realmId, id))) throw new BadRequestError(texts[what]);
}

/** The same texts for changes of another account. */
export const OF_OTHERS = {
  password: 'The password of this account is managed in LDAP',
  name: 'The name of this account is managed in LDAP',
  email: 'The email address of this account is managed in LDAP',
} as const;
