import type { AddressedMail } from '@parley/shared/mail';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser, type Person } from '../../test/examples';
import { composed, type WaitingMail, waitingMails } from '../../test/mails';
import { publicEvents } from '../../test/public-events';
import { getOwnUser } from '../accounts/get-own-user';
import { storeRealmSettings } from '../organization/realms.sql';
import { deactivateUser } from '../users/deactivate-user';
import { updateUserSettings } from '../users/update-user-settings';
import { confirmEmailChange, findEmailChange, secondsToWait } from './email-changes';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const INVALID = { message: 'The confirmation link is not valid, or has expired.', httpStatus: 404 };

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const dan = memberOfEachTest(ctx, olivia, { email: 'dan@example.com', fullName: 'Dan' });

const ask = (person: Person, email: string) => updateUserSettings(ctx, person, { settings: [], email });
const addressOf = async (person: Person) => (await getOwnUser(ctx, person)).deliveryEmail;
const lastMail = async () => (await waitingMails(ctx, olivia)).at(-1) as WaitingMail;
const confirm = (key: string, { subdomain }: Person = dan) => confirmEmailChange(ctx, { subdomain, key });

/** The key of a mail sent now. */
async function mailedKey(): Promise<string> {
  return keyIn((await composed(ctx, olivia, await lastMail())) as AddressedMail);
}

const keyIn = ({ text }: AddressedMail) => /confirm_new_email\/(\w+)\n/.exec(text)?.[1] as string;

async function setSettings(chosen: Record<string, unknown>): Promise<void> {
  await storeRealmSettings(ctx.db, olivia.realmId, chosen);
}

test('an address is changed once it is confirmed, and a mail notifies the former one', async () => {
  await ask(dan, ' New@Example.com ');
  expect(await addressOf(dan)).toBe('dan@example.com');
  expect(await lastMail()).toMatchObject({ template: 'email-confirmation', recipient: 'New@Example.com' });
  const key = await mailedKey();
  expect(key).toMatch(/^[a-z2-7]{24}$/);
  const answer = { organizationName: 'Example', newEmail: 'New@Example.com', language: 'en' };
  expect(await findEmailChange(ctx, { subdomain: dan.subdomain, key })).toEqual(answer);
  expect(await addressOf(dan)).toBe('dan@example.com');

  expect(await confirm(key)).toEqual(answer);
  expect(await addressOf(dan)).toBe('New@Example.com');
  const events = await publicEvents(ctx, olivia, 'realm_user');
  const persons = events.map(({ event }) => event['person']);
  expect(persons).toContainEqual({ user_id: dan.userId, delivery_email: 'New@Example.com' });
  const content = { userId: dan.userId, fullName: 'Dan', newEmail: 'New@Example.com' };
  expect(await lastMail()).toEqual({ template: 'email-changed', recipient: 'dan@example.com', content });
});

test('the link’s page is in the language of its mail: the person’s, otherwise the organization’s', async () => {
  await ask(dan, 'new@example.com');
  const key = await mailedKey();
  await setSettings({ default_language: 'de' });
  expect(await findEmailChange(ctx, { subdomain: dan.subdomain, key })).toMatchObject({ language: 'de' });
  await updateUserSettings(ctx, dan, { settings: [{ name: 'default_language', text: 'fr' }] });
  expect(await findEmailChange(ctx, { subdomain: dan.subdomain, key })).toMatchObject({ language: 'fr' });
  expect(await confirm(key)).toMatchObject({ language: 'fr' });
});

test('the mails name the organization, both addresses and the link; no key is stored', async () => {
  await ask(dan, 'new@example.com');
  const [waiting] = await waitingMails(ctx, olivia);
  const mail = (await composed(ctx, olivia, waiting as WaitingMail)) as AddressedMail;
  expect(mail).toMatchObject({ recipientName: 'Dan', subject: 'Confirm your new email address for Example' });
  for (const part of [
    'dan@example.com',
    'new@example.com',
    `//${olivia.subdomain}.localhost:9991/accounts/confirm_new_email/`,
  ]) {
    expect(mail.text).toContain(part);
    expect(mail.html).toContain(part);
  }
  const tables = ['mail_job', 'email_change', 'email_change_key'];
  for (const table of tables) {
    const rows = await ctx.db.query<{ row: string }>(`select t::text as row from ${table} t`);
    expect(rows.filter(({ row }) => row.includes(keyIn(mail)))).toEqual([]);
  }
  await confirm(keyIn(mail));
  const changed = (await composed(ctx, olivia, await lastMail())) as AddressedMail;
  expect(changed.text).toContain('is now new@example.com.');
});

test('a mail that is sent twice has two keys, and both work; a link that is opened twice says the same', async () => {
  await ask(dan, 'new@example.com');
  const [first, second] = [await mailedKey(), await mailedKey()];
  expect(first).not.toBe(second);
  const answers = await Promise.all([confirm(first), confirm(second), confirm(first)]);
  expect(new Set(answers.map(({ newEmail }) => newEmail))).toEqual(new Set(['new@example.com']));
  const notices = (await waitingMails(ctx, olivia)).filter(({ template }) => template === 'email-changed');
  expect(notices).toHaveLength(1);
});

describe('a key', () => {
  test.each(['', 'x', 'A'.repeat(24), 'a'.repeat(24), 'a'.repeat(10_000), "a'; drop table user_account"])(
    'that nobody has been given is refused: %j',
    async (key) => {
      await expect(confirm(key)).rejects.toMatchObject(INVALID);
    },
  );

  test('works for a day, in its organization', async () => {
    await ask(dan, 'new@example.com');
    const key = await mailedKey();
    await expect(confirm(key, await newOrganization(ctx))).rejects.toMatchObject(INVALID);
    ctx.clock.advance(DAY_MS - 1);
    expect(await findEmailChange(ctx, { subdomain: dan.subdomain, key })).toMatchObject({
      newEmail: 'new@example.com',
    });
    ctx.clock.advance(1);
    await expect(confirm(key)).rejects.toMatchObject(INVALID);
    expect(await composed(ctx, olivia, await lastMail())).toBeNull();
    await ask(dan, 'newer@example.com');
    expect(await ctx.db.query('select 1 from email_change where realm_id = $1', [olivia.realmId])).toHaveLength(1);
  });

  test('does not work once the account has another address', async () => {
    await ask(dan, 'new@example.com');
    const first = await mailedKey();
    await ask(dan, 'newer@example.com');
    await confirm(await mailedKey());
    await expect(confirm(first)).rejects.toMatchObject(INVALID);
    expect(await addressOf(dan)).toBe('newer@example.com');
  });

  test('does not work for deactivated users, after addresses were locked, or when the address was taken first', async () => {
    await ask(dan, 'new@example.com');
    const key = await mailedKey();
    await setSettings({ email_changes_disabled: true });
    await expect(confirm(key)).rejects.toThrow('Email address changes are disabled in this organization.');
    await setSettings({ email_changes_disabled: false });
    const eve = await newUser(ctx, olivia, { email: 'NEW@example.com' });
    await expect(confirm(key)).rejects.toThrow('Email is already in use.');
    await ctx.db.query(
      `update user_account set delivery_email = 'eve@example.com', email = 'eve@example.com' where id = $1`,
      [eve.userId],
    );
    await deactivateUser(ctx, olivia, { userId: dan.userId });
    await expect(confirm(key)).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
    await ctx.db.query('update realm set is_deactivated = true where id = $1', [olivia.realmId]);
    await expect(confirm(key)).rejects.toMatchObject({ code: 'REALM_DEACTIVATED' });
  });
});

describe('a request for', () => {
  test.each([
    ['no address', 'nonsense', 'Invalid address.'],
    ['an address with a header in it', 'a@b.example\nBcc: eve@example.com', 'Invalid address.'],
    ["somebody else's", 'OLIVIA@example.com', 'Already has an account.'],
    ['one that will soon be gone', 'dan@mailinator.com', 'Please use your real email address.'],
  ])('%s is refused', async (_case, email, text) => {
    await expect(ask(dan, email)).rejects.toThrow(text);
    expect(await waitingMails(ctx, olivia)).toEqual([]);
  });

  test('that of a deactivated account is refused', async () => {
    const eve = await newUser(ctx, olivia, { email: 'eve@example.com' });
    await deactivateUser(ctx, olivia, { userId: eve.userId });
    await expect(ask(dan, 'eve@example.com')).rejects.toThrow('Account has been deactivated.');
  });

  test('one outside the domains of the organization is refused', async () => {
    await setSettings({ emails_restricted_to_domains: true });
    await ctx.db.query(
      `insert into allowed_domain (realm_id, domain, allows_subdomains) values ($1, 'example.com', false)`,
      [olivia.realmId],
    );
    await expect(ask(dan, 'dan@other.example')).rejects.toThrow('Outside your domain.');
    await expect(ask(dan, 'dan+1@example.com')).rejects.toThrow('Email addresses containing + are not allowed.');
    await ask(dan, 'daniel@example.com');
  });

  test('any is refused where addresses are locked, but not to administrators', async () => {
    await setSettings({ email_changes_disabled: true });
    await expect(ask(dan, 'new@example.com')).rejects.toThrow(
      'Email address changes are disabled in this organization.',
    );
    await ask(olivia, 'new@example.com');
    expect(await lastMail()).toMatchObject({ recipient: 'new@example.com' });
  });

  test('the current address does nothing, and another casing of it is another address', async () => {
    await ask(dan, 'dan@example.com');
    expect(await waitingMails(ctx, olivia)).toEqual([]);
    await ask(dan, 'Dan@Example.com');
    await confirm(await mailedKey());
    expect(await addressOf(dan)).toBe('Dan@Example.com');
  });

  test('too many addresses is refused, and so are all other changes of the request', async () => {
    await ask(dan, 'one@example.com');
    await ask(dan, 'two@example.com');
    const third = updateUserSettings(ctx, dan, { settings: [], email: 'three@example.com', fullName: 'Daniel' });
    await expect(third).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT', fields: { 'retry-after': 3600 } });
    expect((await getOwnUser(ctx, dan)).fullName).toBe('Dan');
    await ask(olivia, 'four@example.com');
    ctx.clock.advance(HOUR_MS);
    await ask(dan, 'three@example.com');
  });

  test('too many at the same time is refused, too', async () => {
    const answers = await Promise.allSettled([1, 2, 3, 4].map((n) => ask(dan, `new${n}@example.com`)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await waitingMails(ctx, olivia)).toHaveLength(2);
  });
});

test.each([
  [[], 0],
  [[0], 0],
  [[0, 0], 3600],
  [[-HOUR_MS, 0], 0],
  [[1 - HOUR_MS, 0], 1],
  [[-DAY_MS + 5000, -9 * HOUR_MS, -8 * HOUR_MS, -7 * HOUR_MS, -6 * HOUR_MS], 5],
])('after requests at %j the wait is %d seconds', (times, expected) => {
  expect(secondsToWait(times, 0)).toBe(expected);
});

test('a mail that no composer makes waits for a replica that knows it', async () => {
  const mail = { template: 'of-tomorrow', recipient: 'dan@example.com', content: {} };
  await expect(composed(ctx, olivia, mail)).rejects.toThrow('unknown mail template "of-tomorrow"');
});

test.each(['', 'Bye\n<b>Dan</b>'])(
  'the mail of a deactivation says so, with the comment: %j',
  async (notificationComment) => {
    await deactivateUser(ctx, olivia, { userId: dan.userId, notificationComment });
    const mail = (await composed(ctx, olivia, await lastMail())) as AddressedMail;
    expect(mail).toMatchObject({ recipientName: 'Dan', subject: 'Your account on Example has been deactivated' });
    expect(mail.text.includes('> Bye\n> <b>Dan</b>')).toBe(notificationComment !== '');
    expect(mail.html).not.toContain('<b>');
  },
);
