import type { AddressedMail } from '@parley/shared/mail';
import type { MailRecipient, User } from '@parley/shared/proto';
import { MAIL_KINDS, type MailKind, type SettingValue, settingMessage, type UserSettings } from '@parley/shared/values';
import { announcedNotices } from '../../test/announced-notices';
import { setRealm } from '../../test/channels';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { channelIds, newOrganization, newUser, type Person } from '../../test/examples';
import { composed, type WaitingMail, waitingMails } from '../../test/mails';
import { publicEvents } from '../../test/public-events';
import { findUser } from '../accounts/users.sql';
import { changeEmail } from '../people/change-email';
import { requestPasswordReset, setForgottenPassword } from '../sign-in/forgotten-password';
import { fetchApiKey } from '../sign-in/sign-in';
import { updateSubscriptionProperties } from '../subscriptions/update-subscription-properties';
import { deactivateUser } from '../users/deactivate-user';
import { updateUserSettings } from '../users/update-user-settings';
import { noteMailBounced } from './bounces';
import { findMailLink, followMailLink } from './follow-mail-link';
import { listMailRecipients } from './list-mail-recipients';

const PASSWORD = 'correct horse battery';
const REASON = '550 5.1.1 <dan@example.com>: no such user';
const NO_SUCH_LINK = { message: 'The link is not valid.', httpStatus: 404 };

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const dan = memberOfEachTest(ctx, olivia, { email: 'Dan@example.com', fullName: 'Dan', password: PASSWORD });

beforeEach(() => setRealm(ctx, olivia, { digest_emails_enabled: true }));

const choose = (settings: Partial<UserSettings>, person: Person = dan) =>
  updateUserSettings(ctx, person, {
    settings: (Object.entries(settings) as [keyof UserSettings, SettingValue][]).map(([name, value]) =>
      settingMessage(name, value),
    ),
  });
const recipients = (kind: MailKind = 'digest', userIds = [dan.userId], { realmId } = olivia) =>
  listMailRecipients(ctx, { realmId, userIds, kind });
const idsOf = async (kind: MailKind, userIds?: number[]) =>
  (await recipients(kind, userIds)).recipients.map(({ userId }) => userId);
const theOne = async (kind?: MailKind) => (await recipients(kind)).recipients[0] as MailRecipient;
const keyOf = ({ unsubscribeUrl }: MailRecipient) => unsubscribeUrl.split('/').at(-1) as string;
const bounce = (address = dan.email) =>
  noteMailBounced(ctx, { realmId: olivia.realmId, userId: dan.userId, address, reason: REASON });
const signIn = () =>
  fetchApiKey(ctx, { subdomain: olivia.subdomain, username: dan.email, password: PASSWORD, label: '', address: '' });
const linkUse = (key: string, { subdomain } = olivia) => ({ subdomain, key });

describe('recipients', () => {
  test('are known with all that a mail needs', async () => {
    await setRealm(ctx, olivia, { default_language: 'de' });
    await updateUserSettings(ctx, dan, { settings: [], timezone: 'Europe/Vienna' });
    const { realmName, realmUrl, recipients: found } = await recipients('digest', [dan.userId, olivia.userId, 10 ** 9]);
    expect({ realmName, realmUrl }).toEqual({
      realmName: 'Example',
      realmUrl: `http://${olivia.subdomain}.localhost:9991`,
    });
    expect(found.map(({ userId }) => userId)).toEqual([olivia.userId, dan.userId]);
    expect(found[1]).toEqual({
      ...{ userId: dan.userId, address: 'Dan@example.com', fullName: 'Dan', language: 'de', timezone: 'Europe/Vienna' },
      ...{ hasTwentyFourHourTime: false, maySeeContent: true, namesRealm: false },
      unsubscribeUrl: expect.stringMatching(/^http:\/\/[\w.:-]+\/unsubscribe\/[0-9a-z]+-[0-9a-z]+-d-[\w-]{43}$/),
    });
    await choose({ default_language: 'en', twenty_four_hour_time: true });
    expect(await theOne()).toMatchObject({ language: 'en', hasTwentyFourHourTime: true });
  });

  test.each<[Partial<UserSettings>, boolean, boolean]>([
    [{}, true, true],
    [{ message_content_in_email_notifications: false }, true, false],
    [{}, false, false],
  ])('with %j see texts only where the organization allows it, too: %s', async (own, isAllowed, maySeeContent) => {
    await setRealm(ctx, olivia, { message_content_allowed_in_email_notifications: isAllowed });
    await choose(own);
    expect(await theOne()).toMatchObject({ maySeeContent });
  });

  test('read the organization’s name if they want to, or if they are in several', async () => {
    const email = `${olivia.subdomain}@example.com`;
    const eve = await newUser(ctx, olivia, { email });
    const namesRealm = async () => (await recipients('digest', [eve.userId])).recipients[0]?.namesRealm;
    const setPolicy = (policy: number) => choose({ realm_name_in_email_notifications_policy: policy }, eve);
    expect(await namesRealm()).toBe(false);
    await setPolicy(2);
    expect(await namesRealm()).toBe(true);
    await setPolicy(1);
    const other = await newOrganization(ctx);
    const namesake = await newUser(ctx, other, { email: email.toUpperCase() });
    expect(await namesRealm()).toBe(true);
    await setPolicy(3);
    expect(await namesRealm()).toBe(false);
    await setPolicy(1);
    await deactivateUser(ctx, other, { userId: namesake.userId });
    expect(await namesRealm()).toBe(false);
  });

  test('are active people of open organizations', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    const eve = await newUser(ctx, olivia);
    await deactivateUser(ctx, olivia, { userId: eve.userId });
    expect(await idsOf('digest', [bot.userId, eve.userId, dan.userId, -1, 0.5])).toEqual([dan.userId]);
    const other = await newOrganization(ctx);
    expect((await recipients('digest', [dan.userId], other)).recipients).toEqual([]);
    await ctx.db.query('update realm set is_deactivated = true where id = $1', [olivia.realmId]);
    expect((await recipients()).recipients).toEqual([]);
  });

  test.each(Object.keys(MAIL_KINDS) as MailKind[])('of %s are those who have not switched them off', async (kind) => {
    const off = Object.fromEntries(MAIL_KINDS[kind].map((name) => [name, false]));
    await choose(off);
    expect(await idsOf(kind)).toEqual([]);
    const others = (Object.keys(MAIL_KINDS) as MailKind[]).filter((each) => each !== kind);
    for (const other of others) expect(await idsOf(other)).toEqual([dan.userId]);
  });

  test('of digests are there only where the organization sends them', async () => {
    await setRealm(ctx, olivia, { digest_emails_enabled: false });
    expect([await idsOf('digest'), await idsOf('sign_in')]).toEqual([[], [dan.userId]]);
  });

  test('of missed messages are also those who want them of one channel only', async () => {
    await choose(Object.fromEntries(MAIL_KINDS.missed_messages.map((name) => [name, false])));
    const channelId = (await channelIds(ctx, olivia))['general'] as number;
    const change = { channelId, property: 'email_notifications', boolean: true };
    await updateSubscriptionProperties(ctx, dan, { changes: [change] });
    expect(await idsOf('missed_messages')).toEqual([dan.userId]);
  });

  test('are not asked about in excess, nor for unknown mails', async () => {
    const userIds = Array.from({ length: 1_001 }, (_, n) => n + 1);
    await expect(recipients('digest', userIds)).rejects.toThrow('Too many users');
    await expect(recipients('constructor' as MailKind)).rejects.toThrow('There are no mails of the kind');
  });
});

describe('a link at the end of a mail', () => {
  test.each<[MailKind, string[]]>([
    ['digest', ['enable_digest_emails']],
    ['sign_in', ['enable_login_emails']],
    ['missed_messages', ['enable_offline_email_notifications', 'enable_followed_topic_email_notifications']],
  ])('ends mails of the kind %s, and announces it; opening it changes nothing', async (kind, properties) => {
    const use = linkUse(keyOf(await theOne(kind)));
    const link = { organizationName: 'Example', kind, address: 'Dan@example.com', language: 'en' };
    expect(await findMailLink(ctx, use)).toEqual({ ...link, isDone: false });
    expect(await idsOf(kind)).toEqual([dan.userId]);
    expect(await followMailLink(ctx, use)).toEqual({ ...link, isDone: true });
    expect(await idsOf(kind)).toEqual([]);
    expect(await findMailLink(ctx, use)).toEqual({ ...link, isDone: true });
    const events = await publicEvents(ctx, dan, 'user_settings');
    expect(events.map(({ audience, event }) => [audience, event['property'], event['value']])).toEqual(
      properties.map((name) => [{ to: 'users', userIds: [dan.userId] }, name, false]),
    );
    await followMailLink(ctx, use);
    expect(await publicEvents(ctx, dan, 'user_settings')).toHaveLength(properties.length);
  });

  test('about missed messages ends those of single channels, too', async () => {
    const channelId = (await channelIds(ctx, olivia))['general'] as number;
    const change = { channelId, property: 'email_notifications', boolean: true };
    await updateSubscriptionProperties(ctx, dan, { changes: [change] });
    await followMailLink(ctx, linkUse(keyOf(await theOne('missed_messages'))));
    expect(await idsOf('missed_messages')).toEqual([]);
    const events = await publicEvents(ctx, dan, 'subscription');
    expect(events.at(-1)?.event).toMatchObject({
      op: 'update',
      stream_id: channelId,
      property: 'email_notifications',
      value: false,
    });
  });

  test('is for its person, organization and kind only, and does not end', async () => {
    const key = keyOf(await theOne());
    const [realm, , , signature] = key.split('-') as [string, string, string, string];
    const forged = [
      key.replace('-d-', '-s-'),
      [realm, olivia.userId.toString(36), 'd', signature].join('-'),
      `${key.slice(0, -1)}${key.endsWith('A') ? 'E' : 'A'}`,
      `${key}A`,
      key.replace('-d-', '-x-'),
      `zzzzzzzzzzz-${key.slice(key.indexOf('-') + 1)}`,
      'x\0',
      '',
    ];
    for (const each of forged) await expect(findMailLink(ctx, linkUse(each))).rejects.toMatchObject(NO_SUCH_LINK);
    await expect(followMailLink(ctx, linkUse(key, await newOrganization(ctx)))).rejects.toMatchObject(NO_SUCH_LINK);
    ctx.clock.advance(5 * 365 * 24 * 3_600_000);
    expect(await followMailLink(ctx, linkUse(key))).toMatchObject({ isDone: true });
  });
});

describe('an address that refuses mails', () => {
  test('gets none, but for links to set a password, and its person is told at the next sign-in, once', async () => {
    await bounce();
    await bounce();
    expect(await idsOf('digest')).toEqual([]);
    await requestPasswordReset(ctx, { subdomain: olivia.subdomain, email: dan.email });
    const [mail] = (await waitingMails(ctx, olivia)) as [WaitingMail];
    expect(await composed(ctx, olivia, mail)).not.toBeNull();
    const before = await announcedNotices(ctx, olivia);
    await signIn();
    await signIn();
    const told = (await announcedNotices(ctx, olivia)).slice(before.length);
    expect(told).toMatchObject([{ to: { userIds: [dan.userId] }, content: expect.stringContaining(REASON) }]);
    expect(told[0]?.content).toContain('`dan@example.com`');
  });

  test('is right again when its person says so', async () => {
    await bounce();
    const before = await announcedNotices(ctx, olivia);
    await signIn();
    const [told] = (await announcedNotices(ctx, olivia)).slice(before.length);
    const key = /\/unsubscribe\/([\w-]+)\)/.exec(told?.content ?? '')?.[1] as string;
    expect(await findMailLink(ctx, linkUse(key))).toMatchObject({ kind: 'address', isDone: false });
    expect(await followMailLink(ctx, linkUse(key))).toMatchObject({ kind: 'address', isDone: true });
    expect(await idsOf('digest')).toEqual([dan.userId]);
  });

  test('is right again when a link that was mailed to it is used', async () => {
    await bounce();
    await requestPasswordReset(ctx, { subdomain: olivia.subdomain, email: dan.email });
    const [mail] = (await waitingMails(ctx, olivia)) as [WaitingMail];
    const { text } = (await composed(ctx, olivia, mail)) as AddressedMail;
    const key = /password\/reset\/([\w-]+)\n/.exec(text)?.[1] as string;
    await setForgottenPassword(ctx, { subdomain: olivia.subdomain, key, newPassword: 'a long and winding road' });
    expect(await idsOf('digest')).toEqual([dan.userId]);
  });

  test('no longer counts once there is another, and nobody is told of it', async () => {
    await bounce();
    await ctx.db.transaction(async (tx) => {
      await changeEmail(tx, (await findUser(tx, olivia.realmId, dan.userId)) as User, 'other@example.com');
    });
    expect(await idsOf('digest')).toEqual([dan.userId]);
    await bounce();
    expect(await idsOf('digest')).toEqual([dan.userId]);
    await bounce('OTHER@example.com');
    expect(await idsOf('digest')).toEqual([]);
  });
});
