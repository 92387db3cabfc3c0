import type { SetLdapDirectoryRequest } from '@parley/shared/proto';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { publicEvents } from '../../test/public-events';
import { listAuditEntries } from '../audit/audit-log';
import { getRealm } from '../organization/change-organization';
import { getLdapDirectory, removeLdapDirectory, setLdapDirectory } from './directories';
import { syncLdapDirectory } from './sync-directory';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const COMPLETE = {
  url: 'ldaps://ldap.example.org',
  bindDn: 'cn=parley',
  bindPassword: 'secret',
  userBase: 'ou=people',
};
const set = (wanted: Partial<SetLdapDirectoryRequest>) =>
  setLdapDirectory(ctx, { subdomain: olivia.subdomain, ...wanted });
const show = () => getLdapDirectory(ctx, { subdomain: olivia.subdomain });
const ABSENT = 'This organization has no LDAP directory';

test('a directory is set up, changed step by step, and forgotten', async () => {
  await expect(show()).rejects.toThrow(ABSENT);
  expect(await set(COMPLETE)).toMatchObject({
    isEnabled: false,
    idAttribute: 'entryUUID',
    newAccounts: 'sync',
    accounts: 0,
  });
  await set({ userFilter: '(objectClass=inetOrgPerson)', maxDeactivations: 7 });
  await set({ maxDeactivations: 8 });
  expect(await show()).toMatchObject({
    url: COMPLETE.url,
    userFilter: '(objectClass=inetOrgPerson)',
    maxDeactivations: 8,
  });
  expect(await set({ maxDeactivations: -1 })).not.toHaveProperty('maxDeactivations');
  await removeLdapDirectory(ctx, { subdomain: olivia.subdomain });
  await expect(show()).rejects.toThrow(ABSENT);
  await expect(removeLdapDirectory(ctx, { subdomain: olivia.subdomain })).rejects.toThrow(ABSENT);
});

test.each<[string, Partial<SetLdapDirectoryRequest>, string]>([
  ['plain LDAP', { url: 'ldap://ldap.example.org' }, 'ldap:// without STARTTLS is refused'],
  ['STARTTLS over TLS', { starttls: true, url: 'ldaps://ldap.example.org' }, 'STARTTLS is for ldap://'],
  ['another protocol', { url: 'https://ldap.example.org' }, 'url must be ldaps://'],
  ['a path', { url: 'ldaps://ldap.example.org/dc=example' }, 'url must be ldaps://'],
  ['a password in the address', { url: 'ldaps://me:secret@ldap.example.org' }, 'url must be ldaps://'],
  ['no address', { url: '' }, 'url must be ldaps://'],
  ['no base', { userBase: '' }, 'user_base is missing'],
  ['no filter', { userFilter: 'objectClass=person' }, 'user_filter is no LDAP filter'],
  ['half a filter', { userFilter: '(&(objectClass=person)' }, 'user_filter is no LDAP filter'],
  ['a filter for logins without the name', { loginFilter: '(uid=bo)' }, 'login_filter lacks {login}'],
  ['a filter that is too long', { userFilter: `(uid=${'x'.repeat(5_000)})` }, 'user_filter is too long'],
  ['no attribute', { idAttribute: 'entry UUID' }, 'id_attribute must be the name of an attribute'],
  ['no certificate', { ca: 'secret' }, 'ca has no certificates in PEM'],
  ['an unknown word', { newAccounts: 'all' }, 'new_accounts must be one of sync, sign_in, nobody'],
  ['a negative bound', { maxDeactivations: -2 }, 'max_deactivations must be'],
  ['an endless password', { bindPassword: 'x'.repeat(2_000) }, 'bind_password is too long'],
  ['a base with line breaks', { userBase: 'ou=people\nou=others' }, 'user_base has control characters'],
])('%s is refused', async (_case, wanted, message) => {
  await expect(set({ ...COMPLETE, ...wanted })).rejects.toThrow(message);
  await expect(show()).rejects.toThrow(ABSENT);
});

test('a service account needs its password', async () => {
  const { bindPassword: _password, ...rest } = COMPLETE;
  await expect(set(rest)).rejects.toThrow('bind_password is missing');
});

test('switching it on is shown to clients, and ends with it', async () => {
  await set(COMPLETE);
  const hasLdap = async () => (await getRealm(ctx, olivia)).hasLdap;
  expect(await hasLdap()).toBe(false);
  await set({ isEnabled: true });
  expect(await hasLdap()).toBe(true);
  await removeLdapDirectory(ctx, { subdomain: olivia.subdomain });
  expect(await hasLdap()).toBe(false);
  const events = (await publicEvents(ctx, olivia, 'realm')).map(({ event }) => event);
  const dataOf = (LDAP: boolean) => ({
    op: 'update_dict',
    data: {
      authentication_methods: {
        Email: { enabled: true, available: true },
        ...(LDAP && { LDAP: { enabled: true, available: true } }),
      },
    },
  });
  expect(events).toMatchObject([dataOf(true), dataOf(false)]);
  expect(JSON.stringify(events[1])).not.toContain('LDAP');
});

test('the password of the service account is neither in the database nor in the audit log', async () => {
  await set({ ...COMPLETE, bindPassword: 'a very secret word' });
  await set({ bindPassword: 'another secret word' });
  const [row] = await ctx.db.query<{ text: string }>(
    'select encode(bind_password, $2) as text from ldap_directory where realm_id = $1',
    [olivia.realmId, 'escape'],
  );
  expect(row?.text).not.toContain('secret');
  const { entries } = await listAuditEntries(ctx, { subdomain: olivia.subdomain, limit: 20 } as never);
  expect(JSON.stringify(entries)).not.toContain('secret word');
});

test('after a change of BOT_KEY_SECRET the password has to be set again', async () => {
  await set({ ...COMPLETE, isEnabled: true });
  const other = { ...ctx, config: { ...ctx.config, BOT_KEY_SECRET: 'x'.repeat(40) } };
  const request = { subdomain: olivia.subdomain };
  expect((await syncLdapDirectory(other, 'request', request)).fault).toContain('set it again');
});
