import type { TestedLdapDirectory, TestLdapDirectoryRequest } from '@parley/shared/proto';
import { isEmailAddress } from '@parley/shared/values';
import type { Context } from '../context';
import { SIGN_IN_LIMITS, withDirectory } from './connect';
import { getUsedDirectory, type UsedDirectory } from './directories';
import { DirectoryError } from './directory-error';
import { loginFilter } from './filters';
import { listIdentities } from './identities.sql';
import { planSync } from './plan-sync';
import { readPeople } from './read-people';
import { faultsOf } from './sync-directory';

/** Connects to an organization's directory and reads it, without changing anything. For the operator's command. */
export async function testLdapDirectory(
  ctx: Context,
  { subdomain, loginName }: TestLdapDirectoryRequest,
): Promise<TestedLdapDirectory> {
  const startedAt = performance.now();
  const tookMs = () => Math.round(performance.now() - startedAt);
  const empty = { people: 0, withoutId: 0, withoutEmail: 0, gone: 0 };
  let foundDn = '';
  try {
    const settings = await getUsedDirectory(ctx, subdomain);
    // First: people may be found, and sign in, where not everybody may be read.
    if (loginName !== '') foundDn = await findDn(settings, loginName);
    const { people, withoutId, groups } = await readPeople(settings);
    const identities = await listIdentities(ctx.db, settings.realmId);
    const { gone, fault } = await planSync({ people, withoutId, identities, settings, order: null });
    return {
      fault: faultsOf({ fault }, { groups }),
      people: people.length,
      withoutId,
      withoutEmail: people.filter(({ email }) => !isEmailAddress(email)).length,
      tookMs: tookMs(),
      gone: gone.length,
      foundDn,
    };
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    return { ...empty, foundDn, fault: error.message, tookMs: tookMs() };
  }
}

/** Empty: nobody, or several. */
function findDn(settings: UsedDirectory, loginName: string): Promise<string> {
  return withDirectory(settings, SIGN_IN_LIMITS, async (directory) => {
    await directory.bindService(settings);
    const options = {
      scope: 'sub' as const,
      filter: loginFilter(settings, loginName),
      attributes: ['1.1'],
      sizeLimit: 2,
    };
    const [entry, another] = await directory.search(settings.userBase, options);
    return entry && !another ? entry.dn : '';
  });
}
