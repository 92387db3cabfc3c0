import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import { findForbiddenCharacter, LIMITS } from '@parley/shared/values';
import { isFullNameTaken } from '../accounts/users.sql';
import { nameKey } from '../base/name-key';
import { newcomerEvents } from '../notices/join-notices';
import { loadRealmSettings } from '../organization/realms.sql';
import { checkNewEmail } from '../people/change-email';
import { fullNameFromInput } from '../people/full-name';
import { changeRole } from '../users/change-role';
import { isLastOwner } from '../users/deactivate-user';
import { openAccount } from '../users/open-account';

export interface NewOutsideAccount {
  realmId: number;
  /** Checked by emailFromInput(). */
  email: string;
  /** As the source has it. */
  fullName: string;
  role: number;
}

/**
 * Makes the account of a person whom an outside source knows, with the organization's defaults and without a password, and announces it.
 * Throws for an address that is taken or against the organization's rules; concurrent ones violate EMAIL_IS_UNIQUE.
 */
export async function openOutsideAccount(
  tx: Transaction,
  { realmId, email, fullName, role }: NewOutsideAccount,
  nowMs: number,
): Promise<User> {
  await checkNewEmail(tx, realmId, email);
  const name = await freeName(tx, realmId, outsideName(fullName, email));
  const account = { realmId, email, fullName: name, role, bot: null, passwordHash: null, createdAtMs: nowMs };
  const { user, events } = await openAccount(tx, account);
  await announce(tx, ...events, ...(await newcomerEvents(tx, realmId, user)));
  return user;
}

const MIN_LENGTH = 2;
/** What fullNameFromInput() refuses. */
const UNUSABLE = /[*`\\>"@|]/g;

/** A name from outside, without what names must not contain; the address stands in for one that is unusable. */
export function outsideName(text: string, email: string): string {
  const characters = [...text.normalize('NFC')].filter((each) => findForbiddenCharacter(each) === null);
  const name = characters.join('').replace(UNUSABLE, ' ').replace(/\s+/g, ' ').trim();
  const standIn = (email.split('@')[0] ?? '').replace(UNUSABLE, '').padEnd(MIN_LENGTH, '.');
  const usable = [...name].length < MIN_LENGTH ? standIn : name;
  return fullNameFromInput([...usable].slice(0, LIMITS.fullNameLength).join(''));
}

const MAX_NAMESAKES = 100;

/** The name, or with a number where names are unique in the organization. */
async function freeName(tx: Transaction, realmId: number, name: string): Promise<string> {
  const { require_unique_names: isUniquenessRequired } = await loadRealmSettings(tx, realmId);
  if (!isUniquenessRequired) return name;
  const shortened = [...name].slice(0, LIMITS.fullNameLength - 4).join('');
  for (let n = 1; n <= MAX_NAMESAKES; n += 1) {
    const wanted = n === 1 ? name : `${shortened} ${n}`;
    if (!(await isFullNameTaken(tx, realmId, nameKey(wanted.normalize('NFKC')), null))) return wanted;
  }
  return fullNameFromInput(`${shortened} 101`);
}

/**
 * Gives an account the role that an outside source wants, unless the organization would lose its last owner; returns whether it has the role now. The
 * caller has locked the organization (lockRealm).
 */
export async function followOutsideRole(tx: Transaction, user: User, role: number, nowMs: number): Promise<boolean> {
  if (user.role === role) return true;
  if (await isLastOwner(tx, user)) return false;
  await changeRole(tx, user, role, nowMs);
  return true;
}
