import type { AddressedMail } from '@parley/shared/mail';
import { type SettingValue, settingMessage, type UserSettings } from '@parley/shared/values';
import { asCaller, makeBot } from '../../test/bots';
import { setRealm } from '../../test/channels';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { composed, type WaitingMail, waitingMails } from '../../test/mails';
import { addOwnApiKey, regenerateApiKey } from '../api-keys/api-keys';
import { noteMailBounced } from '../mail-recipients/bounces';
import { findMailLink } from '../mail-recipients/follow-mail-link';
import { updateUserSettings } from '../users/update-user-settings';
import { devFetchApiKey, fetchApiKey } from './sign-in';

const PASSWORD = 'correct horse battery';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const dan = memberOfEachTest(ctx, olivia, { email: 'dan@example.com', password: PASSWORD });

interface From {
  device?: string;
  label?: string;
  address?: string;
}

const signIn = ({ device, label = 'Firefox on Linux', address = '192.0.2.7' }: From = {}) => {
  const asked = { subdomain: olivia.subdomain, username: dan.email, password: PASSWORD, label, address: '' };
  return fetchApiKey(ctx, { ...asked, ...(device !== undefined && { device }) }, address);
};
const choose = (settings: Partial<UserSettings>) =>
  updateUserSettings(ctx, dan, {
    settings: (Object.entries(settings) as [keyof UserSettings, SettingValue][]).map(([name, value]) =>
      settingMessage(name, value),
    ),
  });
const mails = async () => (await waitingMails(ctx, olivia)).filter(({ recipient }) => recipient === dan.email);
const sent = async () => {
  const all = await Promise.all((await mails()).map((mail) => composed(ctx, olivia, mail)));
  return all.filter((mail): mail is AddressedMail => mail !== null);
};

describe('a sign-in', () => {
  test('from a browser that the account has not used is told to its person, once; the first one is not', async () => {
    await signIn({ device: 'one' });
    expect(await mails()).toEqual([]);
    await signIn({ device: 'one', address: '198.51.100.1', label: 'Firefox on Windows' });
    expect(await mails()).toEqual([]);
    ctx.clock.advance(60_000);
    await signIn({ device: 'two' });
    await signIn({ device: 'two' });
    const [mail, ...others] = await sent();
    expect([mail?.subject, others]).toEqual(['A sign-in to Example from a new device', []]);
    expect(mail?.text.replaceAll('\u202f', ' ')).toMatch(/^Time: January 1, 2030 at \d+:\d\d AM UTC$/m);
    for (const said of ['Device: Firefox on Linux', 'Address: 192.0.2.7']) expect(mail?.text).toContain(said);
    expect(mail?.text).toContain('/accounts/password/reset\n');
  });

  test('of a program is known by its name and address', async () => {
    await signIn({ label: 'Mobile' });
    await signIn({ label: 'Mobile' });
    expect(await mails()).toEqual([]);
    await signIn({ label: 'Mobile', address: '198.51.100.1' });
    await signIn({ label: 'Terminal', address: '198.51.100.1' });
    await signIn({ label: 'Mobile', address: '198.51.100.1' });
    expect(await mails()).toMatchObject([
      { template: 'sign-in', content: { label: 'Mobile', clientAddress: '198.51.100.1' } },
      { template: 'sign-in', content: { label: 'Terminal', clientAddress: '198.51.100.1' } },
    ]);
  });

  test('without a password counts, too', async () => {
    const wanted = { subdomain: olivia.subdomain, username: dan.email, label: 'Dev' };
    await devFetchApiKey(ctx, { ...wanted, device: 'one' });
    await devFetchApiKey(ctx, { ...wanted, device: 'two' });
    expect(await mails()).toHaveLength(1);
  });

  test('that fails is told to nobody', async () => {
    await signIn({ device: 'one' });
    const request = {
      subdomain: olivia.subdomain,
      username: dan.email,
      password: 'x',
      label: '',
      address: '',
      device: 'two',
    };
    await expect(fetchApiKey(ctx, request)).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    expect(await mails()).toEqual([]);
    await signIn({ device: 'two' });
    expect(await mails()).toHaveLength(1);
  });

  test('is in the person’s language and time', async () => {
    await choose({ default_language: 'de', twenty_four_hour_time: true });
    await updateUserSettings(ctx, dan, { settings: [], timezone: 'Europe/Berlin' });
    await signIn({ device: 'one' });
    await signIn({ device: 'two' });
    const [mail] = await sent();
    expect(mail?.subject).toBe('Anmeldung bei Example von einem neuen Gerät');
    expect(mail?.text).toMatch(/^Zeit: 1\. Januar 2030 um 0\d:\d\d MEZ$/m);
    expect(mail?.html).toContain('<html lang="de">');
  });

  test('is not told where the person has switched that off, also by the link in the mail', async () => {
    await signIn({ device: 'one' });
    await signIn({ device: 'two' });
    const [mail] = await sent();
    const key = mail?.headers?.unsubscribeUrl?.split('/').at(-1) as string;
    expect(await findMailLink(ctx, { subdomain: olivia.subdomain, key })).toMatchObject({ kind: 'sign_in' });
    await choose({ enable_login_emails: false });
    expect(await sent()).toEqual([]);
    await choose({ enable_login_emails: true });
    await noteMailBounced(ctx, { realmId: olivia.realmId, userId: dan.userId, address: dan.email, reason: 'x' });
    expect(await sent()).toEqual([]);
  });

  test('where passwords are not used points at the sessions instead', async () => {
    await signIn({ device: 'one' });
    await signIn({ device: 'two' });
    await setRealm(ctx, olivia, { password_sign_in: 'off' });
    const [mail] = await sent();
    expect(mail?.text).toContain('/#settings/keys\n');
    expect(mail?.text).not.toContain('/accounts/password/reset');
  });

  test('remembers the fifty last used devices', async () => {
    for (let n = 0; n < 51; n += 1) {
      ctx.clock.advance(1_000);
      await signIn({ device: `device ${n}` });
    }
    const before = (await mails()).length;
    expect(before).toBe(50);
    ctx.clock.advance(1_000);
    await signIn({ device: 'device 1' });
    expect(await mails()).toHaveLength(before);
    await signIn({ device: 'device 0' });
    expect(await mails()).toHaveLength(before + 1);
  });
});

describe('a key', () => {
  test('that was made for an account is told to its person, also when sign-ins are not', async () => {
    await choose({ enable_login_emails: false });
    await addOwnApiKey(ctx, dan, { label: ' Backup ' });
    await regenerateApiKey(ctx, dan);
    const [made, replaced] = (await sent()) as [AddressedMail, AddressedMail];
    expect(made.subject).toBe('A new API key for your account on Example');
    expect(made.text).toContain('Name of the key: Backup');
    expect(made.text).not.toContain('no longer valid');
    expect(replaced.text).toContain('The earlier keys of the account are no longer valid.');
    expect(replaced.text).not.toContain('Name of the key');
  });

  test('of a bot is not, nor one that was refused', async () => {
    const bot = asCaller(dan, await makeBot(ctx, dan));
    await regenerateApiKey(ctx, bot);
    await expect(addOwnApiKey(ctx, dan, { label: 'x'.repeat(101) })).rejects.toThrow();
    expect(await waitingMails(ctx, olivia)).toEqual([] as WaitingMail[]);
  });
});
