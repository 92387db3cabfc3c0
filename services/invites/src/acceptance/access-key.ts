import type { Context } from '../context';
import { noSuchInvitation } from '../invitations/no-such-invitation';
import { hashKey, KEY_PATTERN } from '../keys/invitation-key';
import { findKeySubject, type KeySubject } from './accepted.sql';

/** What a key is of; whether that can still be used is not looked at. Throws "No such invitation". */
export async function accessKey({ db }: Pick<Context, 'db'>, realmId: number, key: string): Promise<KeySubject> {
  const subject = KEY_PATTERN.test(key) ? await findKeySubject(db, realmId, hashKey(key)) : null;
  if (!subject) throw noSuchInvitation();
  return subject;
}
