import type { Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { getLdapDirectory, listLdapDirectories, removeLdapDirectory, setLdapDirectory } from '../ldap/directories';
import { syncLdapDirectory } from '../ldap/sync-directory';
import { testLdapDirectory } from '../ldap/test-directory';

/** LDAP directories, for the operator's command and the scheduler. */
export function ldapMethods(ctx: Context) {
  return {
    setLdapDirectory: (_call, request) => setLdapDirectory(ctx, request),
    getLdapDirectory: (_call, request) => getLdapDirectory(ctx, request),
    removeLdapDirectory: (_call, request) => removeLdapDirectory(ctx, request),
    testLdapDirectory: (_call, request) => testLdapDirectory(ctx, request),
    listLdapDirectories: (_call, request) => listLdapDirectories(ctx, request),
    syncLdapDirectory: ({ requestId }, request) => syncLdapDirectory(ctx, requestId, request),
  } satisfies Partial<Implementation<'realm'>>;
}
