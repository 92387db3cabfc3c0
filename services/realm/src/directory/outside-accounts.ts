import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import type { BadRequestError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import { findForbiddenCharacter, LIMITS } from '@parley/shared/values';
import { listTakenNames } from '../accounts/users.sql';
import { nameKey } from '../base/name-key';
import { newcomersEvents } from '../notices/join-notices';
import { loadRealmSettings } from '../organization/realms.sql';
import { objectionsToNewEmails } from '../people/change-email';
import { fullNameFromInput } from '../people/full-name';
import { changeRole } from '../users/change-role';
import { isLastOwner } from '../users/deactivate-user';
import { type NewPeople, openAccounts } from '../users/open-account';

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
  const [opened] = await openOutsideAccounts(tx, { realmId, role, people: [{ email, fullName }] }, nowMs);
  if (opened instanceof Error) throw opened;
  return opened as User;
}

/** The same for several people, in as many statements as for one: the account of each, or why it has none. */
export async function openOutsideAccounts(
  tx: Transaction,
  { realmId, role, people }: Pick<NewPeople, 'realmId' | 'role' | 'people'>,
  nowMs: number,
): Promise<(User | BadRequestError)[]> {
  const emails = people.map(({ email }) => email);
  const objections = await objectionsToNewEmails(tx, realmId, emails);
  const welcome = people.filter((_, index) => objections[index] === null);
  const users = welcome.length === 0 ? [] : await open(tx, { realmId, role, createdAtMs: nowMs, people: welcome });
  const made = users.values();
  return objections.map((objection) => objection ?? (made.next().value as User));
}

async function open(tx: Transaction, { people, ...all }: NewPeople): Promise<User[]> {
  const { realmId, role } = all;
  const wanted = people.map(({ email, fullName }) => outsideName(fullName, email));
  const names = await freeNames(tx, realmId, wanted);
  const named = people.map(({ email }, index) => ({ email, fullName: names[index] as string }));
  const { users, events } = await openAccounts(tx, { ...all, people: named });
  await announce(tx, ...events, ...(await newcomersEvents(tx, realmId, role, users)));
  return users;
}

const MIN_LENGTH = 2;
/** Characters that fullNameFromInput() refuses. */
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

/** The names, or with numbers where names are unique in the organization. */
async function freeNames(tx: Transaction, realmId: number, names: readonly string[]): Promise<string[]> {
  const { require_unique_names: isUniquenessRequired } = await loadRealmSettings(tx, realmId);
  if (!isUniquenessRequired) return [...names];
  const free = new Map<number, string>();
  const taken = new Set<string>();
  for (let n = 1; n <= MAX_NAMESAKES && free.size < names.length; n += 1) {
    const wanted = names.map((name) => (n === 1 ? name : numbered(name, n)));
    const keys = wanted.map((name) => nameKey(name.normalize('NFKC')));
    const asked = keys.filter((_, index) => !free.has(index));
    for (const key of await listTakenNames(tx, realmId, asked)) taken.add(key);
    for (const [index, key] of keys.entries()) {
      if (free.has(index) || taken.has(key)) continue;
      taken.add(key);
      free.set(index, wanted[index] as string);
    }
  }
  return names.map((name, index) => free.get(index) ?? numbered(name, MAX_NAMESAKES + 1));
}

function numbered(name: string, n: number): string {
  return fullNameFromInput(`${[...name].slice(0, LIMITS.fullNameLength - 4).join('')} ${n}`);
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
