import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, RealmDeactivatedError } from '@parley/shared/errors';
import type { CreatedUsers, CreateUsersRequest, NewPerson } from '@parley/shared/proto';
import { EMAIL_IS_UNIQUE, listTakenNames } from '../accounts/users.sql';
import { nameKey } from '../base/name-key';
import { isUniqueViolation } from '../base/unique-violation';
import type { Context } from '../context';
import { newcomersEvents } from '../notices/join-notices';
import { getRealm } from '../organization/change-organization';
import { loadRealmSettings, lockRealm } from '../organization/realms.sql';
import { objectionsToNewEmails } from '../people/change-email';
import { checkMailIsUseful, mailPasswordLinks, userFromInput } from './create-user';
import { openAccounts } from './open-account';

/** Bounds how long a call holds the organization. */
const MAX_PEOPLE = 64;

/**
 * Creates the accounts of several people of one role, without passwords, in about as many statements as for one; mails with links to set a password
 * are one more. Those whose name or address is refused are left out: createUser() says why. For the operator's command.
 */
export async function createUsers(ctx: Context, request: CreateUsersRequest): Promise<CreatedUsers> {
  const { subdomain, role, people, isPasswordLinkMailed } = request;
  if (people.length > MAX_PEOPLE) throw new BadRequestError(`Too many people in one call (limit: ${MAX_PEOPLE})`);
  const realm = await getRealm(ctx, { subdomain });
  if (realm.isDeactivated) throw new RealmDeactivatedError();
  if (isPasswordLinkMailed) await checkMailIsUseful(ctx, realm, { bot: null, password: null, role });
  const wanted = people.flatMap((person) => wantedOf(person, role));
  try {
    return { emails: await ctx.db.transaction((tx) => store(ctx, tx, realm.id, { wanted, request })) };
  } catch (error) {
    // One of them has got an account meanwhile.
    if (EMAIL_IS_UNIQUE.some((index) => isUniqueViolation(error, index))) return { emails: [] };
    throw error;
  }
}

/** A person of the request, as they are to be stored. */
interface Wanted {
  asked: string;
  email: string;
  fullName: string;
}

/** Empty: refused. */
function wantedOf({ email: asked, fullName: name }: NewPerson, role: number): Wanted[] {
  try {
    const { email, fullName } = userFromInput({ subdomain: '', email: asked, fullName: name, role });
    return [{ asked, email, fullName }];
  } catch (error) {
    if (error instanceof BadRequestError) return [];
    throw error;
  }
}

/** Returns the addresses of those who have an account now. */
async function store(
  ctx: Context,
  tx: Transaction,
  realmId: number,
  { wanted, request }: { wanted: readonly Wanted[]; request: CreateUsersRequest },
): Promise<string[]> {
  const { role, isWelcomed, isPasswordLinkMailed } = request;
  await lockRealm(tx, realmId);
  const people = await allowedAmong(tx, realmId, wanted);
  if (people.length === 0) return [];
  const createdAtMs = ctx.clock.now();
  const { users, events } = await openAccounts(tx, { realmId, role, createdAtMs, people });
  if (isPasswordLinkMailed) await mailPasswordLinks(tx, users, createdAtMs);
  await announce(tx, ...events, ...(isWelcomed ? await newcomersEvents(tx, realmId, role, users) : []));
  return people.map(({ asked }) => asked);
}

/** Those with addresses that the organization admits and nobody has, and with names that are free where they must be. */
async function allowedAmong(tx: Transaction, realmId: number, wanted: readonly Wanted[]): Promise<Wanted[]> {
  const emails = wanted.map(({ email }) => email);
  const objections = await objectionsToNewEmails(tx, realmId, emails);
  const admitted = wanted.filter((_, index) => objections[index] === null);
  const { require_unique_names: isUniquenessRequired } = await loadRealmSettings(tx, realmId);
  if (!isUniquenessRequired) return admitted;
  const keyOf = ({ fullName }: Wanted) => nameKey(fullName.normalize('NFKC'));
  const taken = new Set(await listTakenNames(tx, realmId, admitted.map(keyOf)));
  return admitted.filter((person) => {
    const key = keyOf(person);
    if (taken.has(key)) return false;
    taken.add(key);
    return true;
  });
}
