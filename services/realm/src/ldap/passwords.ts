import { BadRequestError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength } from '@parley/shared/values';
import type { Context } from '../context';
import type { FindOutsidePasswords } from '../sign-in/sign-in';
import { SIGN_IN_LIMITS, withDirectory } from './connect';
import { findEnabledDirectory, isDirectoryEnabled, type UsedDirectory } from './directories';
import { takeAccount } from './directory-accounts';
import { DirectoryError } from './directory-error';
import { loginFilter } from './filters';
import { followOwnGroups } from './follow-groups';
import { attributesOf, type DirectoryPerson, personOf } from './people';
import { type Answer, readOwnGroups } from './read-groups';

const MAX_LOGIN_NAME_LENGTH = 254;
const MAX_PASSWORD_LENGTH = 256;
/** Concurrent checks for one organization, in this process: a slow directory delays only its own people. */
const MAX_AT_ONCE = 32;

/** Sign-in with the passwords of organizations' directories. */
export function directoryPasswords(ctx: Context, requestId: string): FindOutsidePasswords {
  return async (realmId) => {
    if (!(await isDirectoryEnabled(ctx, realmId))) return null;
    return async (loginName, password) => {
      if (!arePossible(loginName, password)) return null;
      const found = await findPerson(ctx, realmId, loginName, password);
      if (!found) return null;
      const { person, directory, groups } = found;
      return async () => {
        const mayCreate = directory.newAccounts !== 'nobody';
        const { user } = await takeAccount(ctx, realmId, person, { mayCreate, requestId });
        if (groups.fault !== '') ctx.log.warn({ realmId, fault: groups.fault }, 'groups of a directory cannot be used');
        if (groups.found) await followOwnGroups({ ctx, realmId, requestId }, directory, user, groups.found);
        return { ...user, userId: user.id, passwordHash: null };
      };
    };
  };
}

function arePossible(loginName: string, password: string): boolean {
  const isName = loginName !== '' && codePointLength(loginName) <= MAX_LOGIN_NAME_LENGTH && !loginName.includes('\0');
  // An empty password is an anonymous bind, which succeeds for everybody.
  return isName && password !== '' && codePointLength(password) <= MAX_PASSWORD_LENGTH;
}

const running = new Map<number, number>();

async function findPerson(ctx: Context, realmId: number, loginName: string, password: string) {
  const others = running.get(realmId) ?? 0;
  if (others >= MAX_AT_ONCE) throw cannotBeReached();
  running.set(realmId, others + 1);
  try {
    const directory = await findEnabledDirectory(ctx, realmId);
    const bound = directory && (await bindPerson(directory, loginName, password));
    return bound && { ...bound, directory };
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    ctx.log.warn({ realmId, err: error }, 'a directory could not be used to sign in');
    throw cannotBeReached();
  } finally {
    const left = (running.get(realmId) ?? 1) - 1;
    if (left === 0) running.delete(realmId);
    else running.set(realmId, left);
  }
}

function cannotBeReached(): BadRequestError {
  return new BadRequestError(REFUSAL.directories.unreachable, {}, 503);
}

interface Bound {
  person: DirectoryPerson;
  groups: Answer<Set<string>>;
}

/** Searches the person with the service account, then binds as the one that was found; null: nobody, several, or a wrong password. */
async function bindPerson(settings: UsedDirectory, loginName: string, password: string): Promise<Bound | null> {
  return withDirectory(settings, SIGN_IN_LIMITS, async (directory) => {
    await directory.bindService(settings);
    const entries = await directory.search(settings.userBase, {
      scope: 'sub',
      filter: loginFilter(settings, loginName),
      attributes: attributesOf(settings),
      sizeLimit: 2,
    });
    const [entry] = entries;
    if (!entry || entries.length > 1) return null;
    const person = personOf(entry, settings);
    if (!person) throw new DirectoryError('refused', `${entry.dn} has no ${settings.idAttribute}`);
    // Before the person's own bind: the service account may read groups.
    const groups = await readOwnGroups(directory, settings, person);
    return (await directory.bind(entry.dn, password)) ? { person, groups } : null;
  });
}
