import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { FetchApiKeyRequest, SetLdapDirectoryRequest } from '@parley/shared/proto';
import { PEOPLE } from '@parley/shared/testing';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { freshName, newUser, type Person } from '../../test/examples';
import { slapdOfTests } from '../../test/slapd';
import { getOwnUser } from '../accounts/get-own-user';
import { getApiKeys } from '../api-keys/api-keys';
import { listAuditEntries } from '../audit/audit-log';
import { requestPasswordReset } from '../sign-in/forgotten-password';
import { fetchApiKey } from '../sign-in/sign-in';
import { updateUser } from '../users/update-user';
import { updateUserSettings } from '../users/update-user-settings';
import { setLdapDirectory } from './directories';
import { directoryPasswords } from './passwords';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const slapd = slapdOfTests();

const use = (wanted: Partial<SetLdapDirectoryRequest> = {}) =>
  setLdapDirectory(ctx, { subdomain: olivia.subdomain, ...slapd().settings, ...wanted });

const signIn = (username: string, password: string, wanted: Partial<FetchApiKeyRequest> = {}) =>
  fetchApiKey(
    ctx,
    { subdomain: olivia.subdomain, username, password, label: '', address: '', ...wanted },
    '',
    directoryPasswords(ctx, 'request'),
  );

const callerOf = (userId: number): Person => ({ ...olivia, userId });
const FAILED = { code: 'AUTHENTICATION_FAILED', httpStatus: 401 };
const UNREACHABLE = { httpStatus: 503, message: expect.stringContaining('directory cannot be reached') };

describe("the password of the organization's directory", () => {
  test('signs in by login name or address, to an account that is made once', async () => {
    const uid = freshName('dora');
    await slapd().addPerson(uid, { name: 'Dora Directory', password: 'sesame' });
    await use();
    const first = await signIn(uid, 'sesame');
    const again = await signIn(`${uid}@EXAMPLE.org`, 'sesame');
    expect(again.userId).toBe(first.userId);
    const user = await getOwnUser(ctx, callerOf(first.userId));
    expect(user).toMatchObject({ fullName: 'Dora Directory', deliveryEmail: `${uid}@example.org`, role: 400 });
  });

  test('makes a session that ends, as the sign-in page asks for', async () => {
    const uid = freshName('dora');
    await slapd().addPerson(uid, { password: 'sesame' });
    await use();
    const { expiresAtMs, userId } = await signIn(uid, 'sesame', { isSession: true });
    expect(expiresAtMs).toBeGreaterThan(ctx.clock.now());
    const { keys } = await getApiKeys(ctx, callerOf(userId));
    expect(keys.filter((key) => key.expiresAtMs !== undefined)).toHaveLength(1);
  });

  test.each([
    ['a wrong password', 'dora', 'wrong'],
    ['no password, which directories take for an anonymous visit', 'dora', ''],
    ['a login name of nobody', 'nobody', 'sesame'],
    ['a pattern', 'do*', 'sesame'],
    ['a filter in the login name', 'x)(uid=*', 'sesame'],
    ['no login name', '', 'sesame'],
    ['a login name that no text can be', 'do\0ra', 'sesame'],
    ['a login name that is too long', 'd'.repeat(300), 'sesame'],
    ['a password that is too long', 'dora', 'x'.repeat(10_000)],
  ])('is refused with %s', async (_case, name, password) => {
    const uid = freshName('dora');
    await slapd().addPerson(uid, { password: 'sesame' });
    await use();
    await expect(signIn(name.replace('dora', uid), password)).rejects.toMatchObject(FAILED);
  });

  test('is not asked while the directory is switched off', async () => {
    const uid = freshName('dora');
    await slapd().addPerson(uid, { password: 'sesame' });
    await use({ isEnabled: false });
    await expect(signIn(uid, 'sesame')).rejects.toMatchObject(FAILED);
  });

  test('is not guessed more often than any other', async () => {
    const uid = freshName('dora');
    await slapd().addPerson(uid, { password: 'sesame' });
    await use();
    for (let n = 0; n < 5; n += 1) await expect(signIn(uid, 'wrong')).rejects.toMatchObject(FAILED);
    await expect(signIn(uid, 'sesame')).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
  });

  test('is not guessed more often by other spellings of the login name, which directories take for the same', async () => {
    const uid = freshName('dora');
    await slapd().addPerson(uid, { password: 'sesame' });
    await use();
    const wide = [...uid].map((letter) => String.fromCodePoint((letter.codePointAt(0) as number) + 0xfee0)).join('');
    expect(await signIn(wide, 'sesame')).toMatchObject({ apiKey: expect.any(String) });
    const spellings = [wide, uid.toUpperCase(), wide.slice(0, 1) + uid.slice(1), ` ${uid}`, `${uid}\u00ad`];
    for (const name of spellings) await expect(signIn(name, 'wrong')).rejects.toMatchObject(FAILED);
    await expect(signIn(uid, 'sesame')).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
  });

  test('is not sent to a server to which the directory refers', async () => {
    const uid = freshName('dora');
    let visits = 0;
    const port = await listen(() => {
      visits += 1;
    });
    await slapd().addPerson(uid, { password: 'sesame' });
    await slapd().addReferral(freshName('elsewhere'), `ldap://127.0.0.1:${port}/${PEOPLE}`);
    await use();
    expect(await signIn(uid, 'sesame')).toMatchObject({ apiKey: expect.any(String) });
    await expect(signIn(freshName('nobody'), 'sesame')).rejects.toMatchObject(FAILED);
    expect(visits).toBe(0);
  });

  test('is refused where two people have the login name', async () => {
    const mail = `${freshName('both')}@example.org`;
    await slapd().addPerson(freshName('dora'), { mail, password: 'sesame' });
    await slapd().addPerson(freshName('dora'), { mail, password: 'sesame' });
    await use();
    await expect(signIn(mail, 'sesame')).rejects.toMatchObject(FAILED);
  });

  test('names with characters of filters are found as they are', async () => {
    const uid = `${freshName('dora')}(*)`;
    await slapd().addPerson(uid, { mail: `${freshName('dora')}@example.org`, password: 'sesame' });
    await use();
    expect(await signIn(uid, 'sesame')).toMatchObject({ apiKey: expect.any(String) });
  });
});

describe('an account with the address of an entry', () => {
  test('is linked once: its own password ends, its owner gets a mail, and it is recorded', async () => {
    const uid = freshName('lea');
    const lea = await newUser(ctx, olivia, { email: `${uid}@example.org`, password: 'correct horse' });
    await slapd().addPerson(uid, { password: 'sesame' });
    await use();
    expect(await signIn(lea.email, 'sesame')).toMatchObject({ userId: lea.userId });
    await expect(signIn(lea.email, 'correct horse')).rejects.toMatchObject(FAILED);
    const mails = await ctx.db.query<{ recipient: string }>(
      "select recipient from mail_job where realm_id = $1 and template = 'ldap-linked'",
      [olivia.realmId],
    );
    expect(mails).toEqual([{ recipient: lea.email }]);
    const { entries } = await listAuditEntries(ctx, { subdomain: olivia.subdomain, limit: 10 } as never);
    expect(JSON.stringify(entries)).toContain('ldap-account-linked');
  });

  test('stays with its entry when the address changes or goes to somebody else', async () => {
    const [uid, other] = [freshName('lea'), freshName('max')];
    const dn = await slapd().addPerson(uid, { password: 'sesame' });
    await use();
    const lea = await signIn(uid, 'sesame');
    await slapd().replace(dn, 'mail', [`new-${uid}@example.org`]);
    await slapd().addPerson(other, { mail: `${uid}@example.org`, password: 'other' });
    expect((await signIn(uid, 'sesame')).userId).toBe(lea.userId);
    await expect(signIn(other, 'other')).rejects.toMatchObject({
      message: 'The account with this address belongs to another entry of the directory.',
    });
  });

  test('keeps its own password where its owner signs in with it', async () => {
    const lea = await newUser(ctx, olivia, { password: 'correct horse' });
    await use();
    expect(await signIn(lea.email, 'correct horse')).toMatchObject({ userId: lea.userId });
  });

  test('is not linked if it is deactivated', async () => {
    const uid = freshName('lea');
    const lea = await newUser(ctx, olivia, { email: `${uid}@example.org` });
    await ctx.db.query('update user_account set is_active = false where id = $1', [lea.userId]);
    await slapd().addPerson(uid, { password: 'sesame' });
    await use();
    await expect(signIn(uid, 'sesame')).rejects.toMatchObject({
      message: 'The account with this address is deactivated.',
    });
  });
});

test('where nobody gets an account, only people with one sign in', async () => {
  const uid = freshName('dora');
  await slapd().addPerson(uid, { password: 'sesame' });
  await use({ newAccounts: 'nobody' });
  await expect(signIn(uid, 'sesame')).rejects.toMatchObject({ message: /^You have no account/ });
  const { userId } = await newUser(ctx, olivia, { email: `${uid}@example.org` });
  expect(await signIn(uid, 'sesame')).toMatchObject({ userId });
});

test('what the directory decides about is not changed in Parley', async () => {
  const uid = freshName('dora');
  await slapd().addPerson(uid, { name: 'Dora', password: 'sesame' });
  await use();
  const { userId, deliveryEmail: email } = await signIn(uid, 'sesame');
  const dora = callerOf(userId);
  const update = (wanted: object) => updateUserSettings(ctx, dora, { settings: [], ...wanted } as never);
  await expect(update({ oldPassword: 'sesame', newPassword: 'correct horse' })).rejects.toThrow(
    'Your Parley password is managed in LDAP',
  );
  await expect(update({ fullName: 'Dorothea' })).rejects.toThrow('Your name is managed in LDAP');
  await expect(update({ email: 'else@example.org' })).rejects.toThrow('Your email address is managed in LDAP');
  await update({ fullName: 'Dora', email, timezone: 'Europe/Berlin' });
  const rename = { user: { id: userId }, fullName: 'Dorothea', profileValues: [] };
  await expect(updateUser(ctx, olivia, rename as never)).rejects.toThrow('The name of this account is managed in LDAP');
  await requestPasswordReset(ctx, { subdomain: olivia.subdomain, email });
  const mails = "select from mail_job where realm_id = $1 and template = 'password-reset'";
  expect(await ctx.db.query(mails, [olivia.realmId])).toEqual([]);
  await use({ isEnabled: false });
  await update({ fullName: 'Dorothea' });
});

describe('the connection', () => {
  test('begins TLS with STARTTLS before anything is sent', async () => {
    const uid = freshName('dora');
    await slapd().addPerson(uid, { password: 'sesame' });
    await use({ url: `ldap://localhost:${slapd().ports.plain}`, starttls: true });
    expect(await signIn(uid, 'sesame')).toMatchObject({ apiKey: expect.any(String) });
  });

  test.each([
    ['of another host', { url: () => `ldaps://127.0.0.1:${slapd().ports.tls}` }],
    ['of another host, with STARTTLS', { url: () => `ldap://127.0.0.1:${slapd().ports.plain}`, starttls: true }],
    ['of an unknown authority', { ca: () => '' }],
  ])('is refused with a certificate %s', async (_case, { url, ca, ...wanted }: Record<string, unknown>) => {
    const uid = freshName('dora');
    await slapd().addPerson(uid, { password: 'sesame' });
    const [place, authorities] = [url, ca].map((value) => (value as (() => string) | undefined)?.());
    await use({
      ...wanted,
      ...(place !== undefined && { url: place }),
      ...(authorities !== undefined && { ca: authorities }),
    });
    await expect(signIn(uid, 'sesame')).rejects.toMatchObject(UNREACHABLE);
  });

  test.each([
    ['closes at once', (socket: Socket) => socket.destroy()],
    ['answers nonsense', (socket: Socket) => socket.write('HTTP/1.1 400\r\n')],
    [
      'sends more than its agreement before TLS begins',
      (socket: Socket) => socket.once('data', () => socket.write(MORE)),
    ],
    ['says nothing', () => {}],
  ])('is given up when a server %s, with a clear error and without a counted failure', async (_case, behave) => {
    await use({ url: `ldap://127.0.0.1:${await listen(behave)}`, starttls: true });
    const iago = await newUser(ctx, olivia, { password: 'correct horse' });
    const started = performance.now();
    const attempts = ['ann', 'ben', 'cem', 'dora'].map((name) =>
      expect(signIn(name, 'sesame')).rejects.toMatchObject(UNREACHABLE),
    );
    expect(await signIn(iago.email, 'correct horse')).toMatchObject({ userId: iago.userId });
    await Promise.all(attempts);
    expect(performance.now() - started).toBeLessThan(10_000);
    const counted = 'select from sign_in_attempt where realm_id = $1 and cardinality(attempted_at) > 0';
    expect(await ctx.db.query(counted, [olivia.realmId])).toEqual([]);
  });
});

/** Agrees to TLS, and begins another answer without it. */
const MORE = Buffer.from('300c02010178070a010004000400300c0201', 'hex');

const opened: { server: Server; sockets: Set<Socket> }[] = [];

afterEach(async () => {
  for (const { server, sockets } of opened.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server of that behavior; returns its port. */
async function listen(behave: (socket: Socket) => unknown): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    behave(socket);
  });
  opened.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
