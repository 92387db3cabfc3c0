import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { putMail } from '@parley/shared/mail';
import type { User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { isEmailAddress, ROLES } from '@parley/shared/values';
import { isOfDirectory } from '../accounts/directory-accounts.sql';
import { emailFromInput } from '../accounts/email-address';
import { findUser } from '../accounts/users.sql';
import { appendActs } from '../audit/chain';
import type { Context } from '../context';
import { openOutsideAccount, openOutsideAccounts } from '../directory/outside-accounts';
import { togetherOrAlone } from '../directory/together-or-alone';
import { lockRealm } from '../organization/realms.sql';
import { findAccountByLoginName, setPasswordHash } from '../sign-in/sign-in.sql';
import type { Place } from './change-accounts-by-directory';
import { findUserIdOfEntry, insertIdentities, listKnownEntries } from './identities.sql';
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
    if (person.email === '') throw new BadRequestError(REFUSAL.directories.noAddress);
    const email = emailFromInput(person.email);
    const user = await findByAddress(tx, realmId, email);
    if (!user && !mayCreate) {
      throw new BadRequestError(REFUSAL.directories.noAccount);
    }
    const nowMs = ctx.clock.now();
    const taken: Taken = user
      ? { user: await link(tx, user, nowMs), how: 'linked' }
      : {
          user: await openOutsideAccount(tx, { realmId, email, fullName: person.fullName, role: ROLES.member }, nowMs),
          how: 'created',
        };
    await store({ ctx, realmId, requestId }, tx, [{ ...taken, person }]);
    return taken;
  });
}

/** The accounts of several people for a sync, or why they have none: of those who are plainly new in one transaction. */
export function takeAccounts(place: Place, people: readonly DirectoryPerson[]): Promise<(Taken | Error)[]> {
  const { ctx, realmId, requestId } = place;
  return togetherOrAlone(
    people,
    (some) => openTogether(place, some),
    (person) => takeAccount(ctx, realmId, person, { mayCreate: true, requestId }),
  );
}

/** Null: not plainly new. */
async function openTogether(place: Place, people: readonly DirectoryPerson[]): Promise<(Taken | null)[]> {
  const { ctx, realmId } = place;
  const entryIds = people.map(({ entryId }) => entryId);
  return ctx.db.transaction(async (tx) => {
    await lockRealm(tx, realmId);
    const known = await listKnownEntries(tx, realmId, entryIds);
    const unknown = people.filter(({ entryId, email }) => !known.has(entryId) && isEmailAddress(email));
    const opened = await openOutsideAccounts(tx, { realmId, role: ROLES.member, people: unknown }, ctx.clock.now());
    const created = unknown.flatMap((person, index) => {
      const user = opened[index] as User | Error;
      return user instanceof Error ? [] : [{ person, user, how: 'created' as const }];
    });
    await store(place, tx, created);
    const byEntry = new Map(created.map((each) => [each.person.entryId, each]));
    return entryIds.map((entryId) => byEntry.get(entryId) ?? null);
  });
}

async function findByAddress(tx: Transaction, realmId: number, email: string): Promise<User | null> {
  const account = await findAccountByLoginName(tx, realmId, email);
  const user = account && (await findUser(tx, realmId, account.userId));
  if (!user) return null;
  if (await isOfDirectory(tx, realmId, user.id)) {
    throw new BadRequestError(REFUSAL.directories.otherEntry);
  }
  if (user.isBot) throw new BadRequestError(REFUSAL.directories.bot);
  if (!user.isActive) throw new BadRequestError(REFUSAL.directories.deactivated);
  return user;
}

/** The directory has the password from now on. Its owner hears of it. */
async function link(tx: Transaction, user: User, nowMs: number): Promise<User> {
  const { realmId, id: userId, deliveryEmail: recipient } = user;
  await setPasswordHash(tx, { realmId, userId }, null);
  await putMail(tx, { realmId, template: 'ldap-linked', recipient, content: { userId }, nowMs });
  return user;
}

/** The accounts belong to the entries of the people; an entry in the audit log for each. */
async function store(
  { ctx, realmId, requestId }: Place,
  tx: Transaction,
  taken: readonly (Taken & { person: DirectoryPerson })[],
): Promise<void> {
  const identities = taken.map(({ user, person }) => ({ entryId: person.entryId, userId: user.id }));
  await insertIdentities(tx, realmId, identities, ctx.clock.now());
  const acts = taken.map(({ user, how, person }) => ({
    deed: { act: `ldap-account-${how}`, actor: { kind: 'service' as const }, requestId },
    effect: {
      subject: { kind: 'user', id: user.id },
      after: { email: user.deliveryEmail, full_name: user.fullName, entry: person.entryId, dn: person.dn },
    },
  }));
  await appendActs(ctx, tx, realmId, acts);
}
