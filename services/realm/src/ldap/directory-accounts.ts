import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { putMail } from '@parley/shared/mail';
import type { User } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { isOfDirectory } from '../accounts/directory-accounts.sql';
import { emailFromInput } from '../accounts/email-address';
import { findUser } from '../accounts/users.sql';
import { appendEntries } from '../audit/chain';
import type { Context } from '../context';
import { openOutsideAccount } from '../directory/outside-accounts';
import { lockRealm } from '../organization/realms.sql';
import { findAccountByLoginName, setPasswordHash } from '../sign-in/sign-in.sql';
import { findUserIdOfEntry, insertIdentity } from './identities.sql';
import type { DirectoryPerson } from './people';

/** How an account came to belong to an entry. */
export type Taken = { user: User; how: 'known' | 'linked' | 'created' };

/**
 * The account of a person in the directory, by the entry's stable id. The first time it is the account with the person's address,
 * unless that belongs to another entry; else, if `mayCreate`, a new one. Throws BAD_REQUEST with the reason when there can be none.
 */
export async function takeAccount(
  ctx: Context,
  realmId: number,
  person: DirectoryPerson,
  { mayCreate, requestId }: { mayCreate: boolean; requestId: string },
): Promise<Taken> {
  return ctx.db.transaction(async (tx) => {
    await lockRealm(tx, realmId);
    const known = await findUserIdOfEntry(tx, realmId, person.entryId);
    if (known !== null) return { user: (await findUser(tx, realmId, known)) as User, how: 'known' };
    if (person.email === '') throw new BadRequestError('The directory has no email address for this person.');
    const email = emailFromInput(person.email);
    const user = await findByAddress(tx, realmId, email);
    if (!user && !mayCreate) {
      throw new BadRequestError('You have no account in this organization. Ask its administrators for one.');
    }
    const nowMs = ctx.clock.now();
    const taken: Taken = user
      ? { user: await link(tx, user, nowMs), how: 'linked' }
      : {
          user: await openOutsideAccount(tx, { realmId, email, fullName: person.fullName, role: ROLES.member }, nowMs),
          how: 'created',
        };
    await insertIdentity(tx, { realmId, entryId: person.entryId, userId: taken.user.id }, nowMs);
    await record(ctx, tx, taken, person, requestId);
    return taken;
  });
}

async function findByAddress(tx: Transaction, realmId: number, email: string): Promise<User | null> {
  const account = await findAccountByLoginName(tx, realmId, email);
  const user = account && (await findUser(tx, realmId, account.userId));
  if (!user) return null;
  if (await isOfDirectory(tx, realmId, user.id)) {
    throw new BadRequestError('The account with this address belongs to another entry of the directory.');
  }
  if (user.isBot) throw new BadRequestError('The address belongs to a bot.');
  if (!user.isActive) throw new BadRequestError('The account with this address is deactivated.');
  return user;
}

/** The directory has the password from now on. Its owner hears of it. */
async function link(tx: Transaction, user: User, nowMs: number): Promise<User> {
  const { realmId, id: userId, deliveryEmail: recipient } = user;
  await setPasswordHash(tx, { realmId, userId }, null);
  await putMail(tx, { realmId, template: 'ldap-linked', recipient, content: { userId }, nowMs });
  return user;
}

async function record(ctx: Context, tx: Transaction, { user, how }: Taken, person: DirectoryPerson, requestId: string) {
  const deed = { act: `ldap-account-${how}`, actor: { kind: 'service' as const }, requestId };
  const after = { email: user.deliveryEmail, full_name: user.fullName, entry: person.entryId, dn: person.dn };
  await appendEntries(ctx, tx, user.realmId, deed, [{ subject: { kind: 'user', id: user.id }, after }]);
}
