import type { LdapDirectory, SetLdapDirectoryRequest, SyncedLdapDirectory } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import { command, Unfinished } from '../command/command';
import { readTextFile } from '../command/files';
import { operatedRealm } from '../command/operated';
import { decision, file, integer, list, oneOf, realm, text, withoutUndefined } from '../command/options';
import { groupRules, roleRule } from '../command/rules';

const words = text('TEXT').optional();
const NEW_ACCOUNTS = { sync: 'sync', 'sign-in': 'sign_in', nobody: 'nobody' } as const;

/** Creates or changes an organization's LDAP directory; options that are absent stay. */
export const ldapSet = command({
  services: ['realm'],
  summary: 'creates or changes the LDAP directory in which people of an organization have their passwords',
  options: {
    realm,
    on: decision().optional(),
    url: text('URL').optional(),
    starttls: decision().optional(),
    'ca-file': file('FILE').optional(),
    'bind-dn': text('DN').optional(),
    'bind-password-file': file('FILE').optional(),
    'user-base': text('DN').optional(),
    'user-filter': text('FILTER').optional(),
    'login-filter': text('FILTER').optional(),
    'id-attribute': words,
    'email-attribute': words,
    'name-attribute': words,
    'new-accounts': oneOf(['sync', 'sign-in', 'nobody']).optional(),
    'max-deactivations': integer('N').optional(),
    'group-base': text('DN').optional(),
    'group-filter': text('FILTER').optional(),
    groups: list('CN=GROUP,CN=GROUP').optional(),
    roles: list('CN=ROLE,CN=ROLE').optional(),
  },
  examples: [
    '--realm acme --url ldaps://ldap.acme.org --bind-dn cn=parley,dc=acme,dc=org --bind-password-file password --user-base ou=people,dc=acme,dc=org',
    '--realm acme --on yes',
    '--realm acme --group-base ou=groups,dc=acme,dc=org --groups eng=Engineers --roles admins=200',
  ],
  async run({ realm: service }, { realm: subdomain, on: isEnabled, url, starttls, ...given }) {
    const newAccounts = given['new-accounts'];
    const request = withoutUndefined({
      ...{ isEnabled, url, starttls, bindDn: given['bind-dn'], userBase: given['user-base'] },
      ca: await contentOf(given['ca-file']),
      // Editors end files with a line break.
      bindPassword: (await contentOf(given['bind-password-file']))?.replace(/\r?\n$/, ''),
      userFilter: given['user-filter'],
      loginFilter: given['login-filter'],
      idAttribute: given['id-attribute'],
      emailAttribute: given['email-attribute'],
      nameAttribute: given['name-attribute'],
      newAccounts: newAccounts && NEW_ACCOUNTS[newAccounts],
      maxDeactivations: given['max-deactivations'],
      groupBase: given['group-base'],
      groupFilter: given['group-filter'],
      ...(await rulesFrom(service, subdomain, given)),
    });
    return publicDirectory(service, subdomain, await service.setLdapDirectory(newCall(), { subdomain, ...request }));
  },
});

type Rules = Pick<SetLdapDirectoryRequest, 'groupRules' | 'roleRules'>;

async function rulesFrom(
  service: RpcClient<'realm'>,
  subdomain: string,
  { groups, roles }: { groups?: string[] | undefined; roles?: string[] | undefined },
): Promise<Rules> {
  const rules: Rules = {};
  if (groups) {
    const { actor } = await operatedRealm(service, { realm: subdomain });
    const named = await groupRules(service, actor, groups);
    rules.groupRules = { rules: named.map(({ value, groupId }) => ({ groupName: value, groupId })) };
  }
  if (roles) {
    const named = roles.map((each) => roleRule(each));
    rules.roleRules = { rules: named.map(({ value, role }) => ({ groupName: value, role })) };
  }
  return rules;
}

async function contentOf(file: string | undefined): Promise<string | undefined> {
  return file === undefined ? undefined : readTextFile(file, 1);
}

/** The directory of an organization, and what came of its last sync. */
export const ldapShow = command({
  services: ['realm'],
  summary: "shows an organization's LDAP directory, and what came of its last sync",
  options: { realm },
  async run({ realm: service }, { realm: subdomain }) {
    return publicDirectory(service, subdomain, await service.getLdapDirectory(newCall(), { subdomain }));
  },
});

async function publicDirectory(service: RpcClient<'realm'>, subdomain: string, directory: LdapDirectory) {
  const { syncedAtMs, lastSync, maxDeactivations } = directory;
  return {
    on: directory.isEnabled,
    url: directory.url,
    tls: directory.url.startsWith('ldaps:') ? 'from the beginning' : 'STARTTLS',
    own_authorities: directory.ca !== '',
    bind_dn: directory.bindDn,
    user_base: directory.userBase,
    user_filter: directory.userFilter,
    login_filter: directory.loginFilter,
    id_attribute: directory.idAttribute,
    email_attribute: directory.emailAttribute,
    name_attribute: directory.nameAttribute,
    new_accounts: directory.newAccounts.replace('_', '-'),
    max_deactivations: maxDeactivations ?? 'default',
    group_base: directory.groupBase || 'none: groups and roles do not follow',
    group_filter: directory.groupFilter,
    groups: await shownGroups(service, subdomain, directory),
    roles: directory.roleRules.map(({ groupName, role }) => `${groupName}=${role}`).join(','),
    accounts: directory.accounts,
    ...(syncedAtMs !== undefined && { synced_at: new Date(syncedAtMs).toISOString() }),
    ...(lastSync && { last_sync: lastSync.fault === '' ? 'complete' : lastSync.fault }),
  };
}

/** As `ldap set` takes them; a group that is gone by its id. */
async function shownGroups(service: RpcClient<'realm'>, subdomain: string, { groupRules: rules }: LdapDirectory) {
  if (rules.length === 0) return '';
  const { actor } = await operatedRealm(service, { realm: subdomain });
  const { groups } = await service.listGroups(actor, { includesDeactivated: true });
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  return rules.map(({ groupName, groupId }) => `${groupName}=${names.get(groupId) ?? groupId}`).join(',');
}

/** Connects, searches and reads; changes nothing. */
export const ldapTest = command({
  services: ['realm'],
  summary: 'connects to the LDAP directory and reads everybody, without changing anything',
  options: { realm, login: text('NAME').optional() },
  examples: ['--realm acme', '--realm acme --login bo'],
  async run({ realm: service }, { realm: subdomain, login: loginName = '' }) {
    const tested = await service.testLdapDirectory(newCall(), { subdomain, loginName });
    const result = {
      people: tested.people,
      without_id: tested.withoutId,
      without_email: tested.withoutEmail,
      gone: tested.gone,
      took_ms: tested.tookMs,
      ...(loginName !== '' && { found: tested.foundDn || 'nobody, or several' }),
    };
    if (tested.fault !== '') throw new Unfinished(tested.fault, result);
    return result;
  },
});

/** Syncs at once. */
export const ldapSync = command({
  services: ['realm'],
  summary: 'syncs with the LDAP directory at once; --deactivate N is the order to deactivate up to N accounts',
  options: { realm, deactivate: integer('N').optional() },
  examples: ['--realm acme', '--realm acme --deactivate 250'],
  async run({ realm: service }, { realm: subdomain, deactivate }) {
    const { fault, ...result } = await syncAll(service, {
      subdomain,
      ...withoutUndefined({ maxDeactivations: deactivate }),
    });
    if (fault !== '') throw new Unfinished(fault, result);
    return result;
  },
});

type Counted = 'created' | 'linked' | 'changed' | 'deactivated' | 'reactivated';
const COUNTED: readonly Counted[] = ['created', 'linked', 'changed', 'deactivated', 'reactivated'];

async function syncAll(service: RpcClient<'realm'>, request: { subdomain: string; maxDeactivations?: number }) {
  const sums: Record<Counted, number> = { created: 0, linked: 0, changed: 0, deactivated: 0, reactivated: 0 };
  let step: SyncedLdapDirectory;
  do {
    step = await service.syncLdapDirectory(newCall(), request);
    for (const name of COUNTED) sums[name] += step[name];
  } while (!step.isComplete);
  const { people, refused, reasons, fault } = step;
  return { fault, people, ...sums, refused, reasons: reasons.map((reason) => ({ reason })) };
}

/** Forgets the directory. */
export const ldapRemove = command({
  services: ['realm'],
  summary: 'forgets the LDAP directory: its accounts stay, without a password until they set one by mail',
  options: { realm },
  async run({ realm: service }, { realm: subdomain }) {
    await service.removeLdapDirectory(newCall(), { subdomain });
    return { removed: true };
  },
});
