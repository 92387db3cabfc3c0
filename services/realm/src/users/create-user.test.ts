import { verify } from '@node-rs/argon2';
import { announcedNotices } from '../../test/announced-notices';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { announced, channelIds, freshName, join, newOrganization, newUser, type Person } from '../../test/examples';
import { getOwnUser } from '../accounts/get-own-user';
import { getUsers } from './list-users';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const subscribedChannels = async ({ userId }: Person) => {
  const rows = await ctx.db.query<{ name: string }>(
    `select c.name from subscription s join channel c on c.id = s.channel_id where s.user_id = $1 order by c.name`,
    [userId],
  );
  return rows.map(({ name }) => name);
};

describe('a new person', () => {
  test('has the role they were given and is in the default channels', async () => {
    await join(ctx, olivia, ['news'], { newChannel: { isDefault: true } });
    await join(ctx, olivia, ['team']);
    const iago = await newUser(ctx, olivia, { email: 'Iago@Example.com', fullName: 'Iago', role: 200 });
    expect(await getOwnUser(ctx, iago)).toEqual({
      id: iago.userId,
      realmId: olivia.realmId,
      email: 'Iago@Example.com',
      deliveryEmail: 'Iago@Example.com',
      fullName: 'Iago',
      role: 200,
      isBot: false,
      isActive: true,
      timezone: '',
      avatarSource: 'G',
      avatarVersion: 1,
      emailAddressVisibility: 1,
      joinedAtMs: ctx.clock.now(),
    });
    expect(await subscribedChannels(iago)).toEqual(['general', 'news', 'sandbox', 'tips']);
    const { general } = await channelIds(ctx, olivia);
    expect(await announced(ctx, olivia)).toContainEqual({
      channelId: general,
      version: 2,
      subscribedIds: [iago.userId],
      unsubscribedIds: [],
    });
  });

  test.each([
    ['12345', 'The password is too weak.'],
    ['x'.repeat(101), 'password is too long (limit: 100 characters)'],
  ])('is refused with the password %j', async (password, message) => {
    await expect(newUser(ctx, olivia, { email: 'weak@example.com', fullName: 'Weak', password })).rejects.toThrow(
      message,
    );
  });

  test('gets a welcome message if requested, and is announced in the organization if that is set', async () => {
    const { general } = await channelIds(ctx, olivia);
    await ctx.db.query('update realm set settings = settings || $2 where id = $1', [
      olivia.realmId,
      { signup_announcements_stream_id: general },
    ]);
    await newUser(ctx, olivia, { email: 'seeded@example.com', fullName: 'Seeded' });
    expect(await announcedNotices(ctx, olivia)).toEqual([]);
    const { userId } = await newUser(ctx, olivia, { email: 'eve@example.com', fullName: 'Eve', isWelcomed: true });
    expect(await announcedNotices(ctx, olivia)).toMatchObject([
      { to: { channelId: general, topic: 'signups' }, content: `@_**Eve|${userId}** joined this organization.` },
      { to: { userIds: [userId] }, isStarred: true },
    ]);
  });

  test('has their password stored as argon2id', async () => {
    const { userId } = await newUser(ctx, olivia, { password: 'correct horse' });
    const [row] = await ctx.db.query<{ hash: string }>('select password_hash as hash from user_account where id = $1', [
      userId,
    ]);
    expect(row?.hash).toMatch(/^\$argon2id\$/);
    expect(await verify(row?.hash as string, 'correct horse')).toBe(true);
  });

  test('has a unique address, in any casing; names may repeat', async () => {
    const { email } = await newUser(ctx, olivia, { fullName: 'Twin' });
    await expect(newUser(ctx, olivia, { email: email.toUpperCase() })).rejects.toThrow('Email is already in use.');
    await newUser(ctx, await newOrganization(ctx), { email });
    await newUser(ctx, olivia, { fullName: 'Twin' });
  });

  test('has an address of an allowed domain that is not disposable', async () => {
    const made = (email: string) => newUser(ctx, olivia, { email });
    await expect(made('a@mailinator.com')).rejects.toThrow('Disposable email addresses are not allowed');
    const settings = '{"emails_restricted_to_domains": true}';
    await ctx.db.query('update realm set settings = $2 where id = $1', [olivia.realmId, settings]);
    await expect(made('a@example.com')).rejects.toThrow("Email 'a@example.com' not allowed in this organization");
    // Bots have no mail.
    await newUser(ctx, olivia, { email: 'b@example.com', botType: 1, botOwnerEmail: olivia.email });
  });

  test('of several made at once with one address there is one', async () => {
    const email = `${freshName('zoe')}@example.com`;
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => newUser(ctx, olivia, { email })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('requires an active organization', async () => {
    await expect(newUser(ctx, { ...olivia, subdomain: 'nowhere' })).rejects.toMatchObject({
      code: 'NONEXISTENT_SUBDOMAIN',
    });
    await ctx.db.query('update realm set is_deactivated = true where id = $1', [olivia.realmId]);
    await expect(newUser(ctx, olivia)).rejects.toMatchObject({ code: 'REALM_DEACTIVATED' });
  });
});

describe('a new bot', () => {
  test('has an owner and no channels', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email.toUpperCase() });
    expect(await getOwnUser(ctx, bot)).toMatchObject({ isBot: true, botType: 1, botOwnerId: olivia.userId, role: 400 });
    expect(await subscribedChannels(bot)).toEqual([]);
  });

  test('with an outgoing webhook has its own token', async () => {
    const wanted = { botType: 3, botOwnerEmail: olivia.email, payloadUrl: 'https://example.com/hook', interface: 2 };
    const bots = [await newUser(ctx, olivia, wanted), await newUser(ctx, olivia, wanted)];
    const services = await ctx.db.query<{ token: string }>(
      'select payload_url, interface, token from bot_service where user_id = any($1)',
      [bots.map(({ userId }) => userId)],
    );
    const service = { payload_url: wanted.payloadUrl, interface: 2, token: expect.stringMatching(/^[A-Za-z0-9]{32}$/) };
    expect(services).toEqual([service, service]);
    expect(services[0]?.token).not.toBe(services[1]?.token);
  });

  test('has an active person as owner', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    const iago = await newUser(ctx, olivia);
    await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
    const owned = (botOwnerEmail: string) => newUser(ctx, olivia, { botType: 1, botOwnerEmail });
    await expect(owned('nobody@example.com')).rejects.toThrow('No such user');
    await expect(owned('nul\0@example.com')).rejects.toThrow('No such user');
    await expect(owned(iago.email)).rejects.toThrow('User is deactivated');
    await expect(owned(bot.email)).rejects.toThrow("Bots can't own other bots");
  });

  test('with a taken address is refused by the word for bots', async () => {
    await expect(
      newUser(ctx, olivia, { email: olivia.email, botType: 1, botOwnerEmail: olivia.email }),
    ).rejects.toThrow('Username already in use');
  });
});

describe('getUsers', () => {
  test('finds users of the organization only', async () => {
    const iago = await newUser(ctx, olivia);
    const stranger = await newOrganization(ctx);
    const userIds = [iago.userId, stranger.userId, olivia.userId, 999_999_999, -1, 2 ** 63];
    const { users } = await getUsers(ctx, olivia, { userIds });
    expect(users.map(({ id }) => id).sort()).toEqual([olivia.userId, iago.userId].sort());
  });

  test('has a bound', async () => {
    const userIds = Array.from({ length: 20_001 }, (_, index) => index);
    await expect(getUsers(ctx, olivia, { userIds })).rejects.toThrow('Too many users');
  });
});
