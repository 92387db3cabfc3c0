import type { AddressedMail } from '@parley/shared/mail';
import type { CreateUserRequest, User } from '@parley/shared/proto';
import { setRealm } from '../../test/channels';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser } from '../../test/examples';
import { composed, type WaitingMail, waitingMails } from '../../test/mails';
import { findUser } from '../accounts/users.sql';
import { changeEmail } from '../people/change-email';
import { deactivateUser } from '../users/deactivate-user';
import { updateUserSettings } from '../users/update-user-settings';
import { findPasswordReset, requestPasswordReset, setForgottenPassword } from './forgotten-password';
import { fetchApiKey } from './sign-in';

const DAY_MS = 24 * 3_600_000;
const [OLD, NEW] = ['correct horse battery', 'a long and winding road'];
const INVALID = { message: 'The link is not valid, was used before, or has expired.', httpStatus: 404 };

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const dan = memberOfEachTest(ctx, olivia, { email: 'Dan@example.com', password: OLD });

const ask = (email: string) => requestPasswordReset(ctx, { subdomain: olivia.subdomain, email });
const find = (key: string, { subdomain } = olivia) => findPasswordReset(ctx, { subdomain, key });
const setPassword = (key: string, newPassword = NEW) =>
  setForgottenPassword(ctx, { subdomain: olivia.subdomain, key, newPassword });
const signIn = (password: string) =>
  fetchApiKey(ctx, { subdomain: olivia.subdomain, username: dan.email, password, label: '', address: '' });

/** The key of each mail that waits. */
async function mailedKeys(): Promise<string[]> {
  const mails = await waitingMails(ctx, olivia);
  const sent = await Promise.all(mails.map((mail) => composed(ctx, olivia, mail)));
  return sent.map((mail) => /password\/reset\/([\w-]+)\n/.exec((mail as AddressedMail).text)?.[1] as string);
}

async function newKey(): Promise<string> {
  await ask(dan.email);
  return (await mailedKeys()).at(-1) as string;
}

test('whoever has forgotten a password sets a new one by a mailed link', async () => {
  await ask(' DAN@example.COM ');
  const [mail] = await waitingMails(ctx, olivia);
  expect(mail).toMatchObject({ template: 'password-reset', recipient: 'Dan@example.com' });
  const [key = ''] = await mailedKeys();
  const account = { organizationName: 'Example', email: 'Dan@example.com', language: 'en' };
  expect(await find(key)).toEqual(account);
  expect(await setPassword(key)).toEqual(account);
  await expect(signIn(OLD)).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  expect(await signIn(NEW)).toMatchObject({ userId: dan.userId });
});

test('the link’s page is in the language of its mail: the person’s, otherwise the organization’s', async () => {
  const key = await newKey();
  await setRealm(ctx, olivia, { default_language: 'de' });
  expect(await find(key)).toMatchObject({ language: 'de' });
  await updateUserSettings(ctx, dan, { settings: [{ name: 'default_language', text: 'fr' }] });
  expect(await find(key)).toMatchObject({ language: 'fr' });
  expect(await setPassword(key)).toMatchObject({ language: 'fr' });
});

test.each<[string, (key: string) => Promise<unknown> | unknown]>([
  ['it was used', (key) => setPassword(key)],
  ['another one was used', async () => setPassword(await newKey())],
  ['a day has passed', () => ctx.clock.advance(DAY_MS)],
  [
    'the address has changed',
    () =>
      ctx.db.transaction(async (tx) =>
        changeEmail(tx, (await findUser(tx, olivia.realmId, dan.userId)) as User, 'other@example.com'),
      ),
  ],
])('a link is not valid once %s', async (_what, end) => {
  const key = await newKey();
  await end(key);
  await expect(find(key)).rejects.toMatchObject(INVALID);
  await expect(setPassword(key, 'yet another long road')).rejects.toMatchObject(INVALID);
});

test('a link is good for its account and organization only', async () => {
  const key = await newKey();
  const [, end, signature] = key.split('-', 2).concat(key.slice(key.indexOf('-', key.indexOf('-') + 1) + 1));
  const iago = await newUser(ctx, olivia);
  for (const forged of [
    `${iago.userId.toString(36)}-${end}-${signature}`,
    key.slice(0, -1),
    `${key.slice(0, -2)}AA`,
    'x',
    '',
  ])
    await expect(find(forged)).rejects.toMatchObject(INVALID);
  await expect(find(key, await newOrganization(ctx))).rejects.toMatchObject(INVALID);
  expect(await find(key)).toMatchObject({ email: 'Dan@example.com' });
});

test('a weak password leaves the link valid', async () => {
  const key = await newKey();
  await expect(setPassword(key, 'password')).rejects.toMatchObject({ httpStatus: 400 });
  expect(await find(key)).toMatchObject({ email: 'Dan@example.com' });
});

test('the answer does not tell whether there is an account, and nobody gets more than three mails an hour', async () => {
  expect(await ask('nobody@example.com')).toEqual(await ask(dan.email));
  await Promise.all(Array.from({ length: 8 }, () => ask(dan.email)));
  expect(await waitingMails(ctx, olivia)).toHaveLength(3);
  ctx.clock.advance(3_600_000);
  await ask(dan.email);
  expect(await waitingMails(ctx, olivia)).toHaveLength(4);
});

test('deactivated accounts and bots get no mail, and no link works for them', async () => {
  const key = await newKey();
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  await ask(bot.email);
  await deactivateUser(ctx, olivia, { userId: dan.userId });
  await ask(dan.email);
  expect(await waitingMails(ctx, olivia)).toHaveLength(1);
  await expect(find(key)).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
});

test('an organization without passwords sends none', async () => {
  await ctx.db.query(
    `update realm set settings = settings || '{"authentication_methods": {"Email": false, "Dev": true}}' where id = $1`,
    [olivia.realmId],
  );
  await expect(ask(dan.email)).rejects.toMatchObject({ code: 'PASSWORD_AUTH_DISABLED' });
});

describe('an account that an operator has created with a mailed link', () => {
  const mila = () => newUser(ctx, olivia, { email: 'mila@example.com', isPasswordLinkMailed: true });

  test('gets its first password by the link, once', async () => {
    await mila();
    const [mail] = (await waitingMails(ctx, olivia)) as [WaitingMail];
    expect(mail).toMatchObject({ template: 'new-account', recipient: 'mila@example.com' });
    expect(await composed(ctx, olivia, mail)).toMatchObject({
      subject: 'Welcome to Example',
      text: expect.stringContaining('within seven days'),
    });
    const [key = ''] = await mailedKeys();
    expect(await find(key)).toMatchObject({ email: 'mila@example.com' });
    await setPassword(key);
    const username = 'mila@example.com';
    const request = { subdomain: olivia.subdomain, username, password: NEW, label: '', address: '' };
    expect(await fetchApiKey(ctx, request)).toMatchObject({ deliveryEmail: username });
    await expect(setPassword(key)).rejects.toMatchObject(INVALID);
    // Nothing is sent for an account that has a password meanwhile.
    expect(await composed(ctx, olivia, mail)).toBeNull();
  });

  test('has seven days for that', async () => {
    await mila();
    const [key = ''] = await mailedKeys();
    ctx.clock.advance(7 * DAY_MS - 1);
    expect(await find(key)).toMatchObject({ email: 'mila@example.com' });
    ctx.clock.advance(1);
    await expect(find(key)).rejects.toMatchObject(INVALID);
  });

  test.each<[string, Partial<CreateUserRequest>, string]>([
    ['a bot', { botType: 1, botOwnerEmail: 'x@example.com' }, 'Bots have no password'],
    ['an account with a password', { password: NEW }, 'Give a password, or mail a link to set one'],
  ])('is not %s', async (_what, wanted, message) => {
    await expect(newUser(ctx, olivia, { ...wanted, isPasswordLinkMailed: true })).rejects.toThrow(message);
    expect(await waitingMails(ctx, olivia)).toEqual([]);
  });

  test('reads how to sign in where people choose no password', async () => {
    await ctx.prisma.oidcProvider.create({
      data: {
        ...{ realmId: olivia.realmId, displayName: 'Acme ID', iconUrl: '', issuer: 'https://id.acme.example' },
        ...{ clientId: 'parley', scopes: [], newAccounts: 'nobody', keysEndAt: 'provider' },
        ...{ groupsClaim: '', groupRules: [], rolesClaim: '', roleRules: [] },
      },
    });
    await setRealm(ctx, olivia, { password_sign_in: 'off' });
    await mila();
    const [mail] = (await waitingMails(ctx, olivia)) as [WaitingMail];
    const { text } = (await composed(ctx, olivia, mail)) as AddressedMail;
    expect(text).toContain('You choose no password here: you sign in with Acme ID.');
    expect(text).toContain('/accounts/login\n');
    expect(text).not.toContain('password/reset');
  });

  test('is not of an organization without passwords', async () => {
    await ctx.db.query(
      `update realm set settings = settings || '{"authentication_methods": {"Email": false, "Dev": true}}' where id = $1`,
      [olivia.realmId],
    );
    await expect(mila()).rejects.toMatchObject({ code: 'PASSWORD_AUTH_DISABLED' });
  });
});
