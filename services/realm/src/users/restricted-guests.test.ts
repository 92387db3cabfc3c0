import { untilWaitingOrEnded } from '@parley/shared/testing';
import { changeMeanwhile } from '../../test/change-meanwhile';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { join, leave, newOrganization, newUser, type Person } from '../../test/examples';
import { publicEvents, type TestEvent } from '../../test/public-events';
import { meetDirectly, restrictGuests } from '../../test/restrict-guests';
import { announceGuestVisibilityChange, loadGuestVisibility, userAudience } from '../accounts/accessible-users';
import { channelReader } from '../list-changes/list-versions';
import { findUser, listUserChannels } from '../people/find-user';
import { muteUser, unmuteUser } from '../personal/muted-users';
import { getUserStatus, updateUserStatus } from '../personal/statuses';
import { storePresenceReports } from '../presence/presence.sql';
import { getOwnState, registerReaders } from '../register/get-own-state';
import { getRegisterState } from '../register/get-register-state';
import { deactivateUser } from './deactivate-user';
import { getUsers, listUsers } from './list-users';
import { updateUser } from './update-user';
import { updateUserSettings } from './update-user-settings';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
let guest: Person;
let peer: Person;
let friend: Person;
let stranger: Person;
let bot: Person;

beforeEach(async () => {
  await ctx.db.query('update channel set is_default = false where realm_id = $1', [olivia.realmId]);
  guest = await newUser(ctx, olivia, { role: 600, fullName: 'Guest' });
  peer = await newUser(ctx, olivia, { fullName: 'Peer' });
  friend = await newUser(ctx, olivia, { fullName: 'Friend' });
  stranger = await newUser(ctx, olivia, { fullName: 'Stranger' });
  bot = await newUser(ctx, olivia, { fullName: 'Bot', botType: 1, botOwnerEmail: olivia.email });
  await join(ctx, peer, ['team'], { principalIds: [guest.userId, peer.userId], newChannel: { isPrivate: true } });
  await meetDirectly(ctx.db, guest, friend);
});

const UNKNOWN = 'Unknown user';
const namesFor = async (viewer: Person) => {
  const { users } = await listUsers(ctx, viewer, { userIds: [], hasUserIds: false, includesProfiles: false });
  return users.map(({ fullName }) => fullName);
};
const find = (viewer: Person, { userId }: Person) =>
  findUser(ctx, viewer, { user: { id: userId }, includesProfile: false });

test('without the restriction guests see everybody', async () => {
  expect(await namesFor(guest)).toEqual(['Olivia Owner', 'Guest', 'Peer', 'Friend', 'Stranger', 'Bot']);
  expect(await userAudience(ctx.db, olivia.realmId, stranger.userId)).toEqual({ to: 'realm' });
  const { unknownUserIds } = await getRegisterState(ctx, guest);
  expect(unknownUserIds).toEqual([]);
});

describe('a restricted guest', () => {
  beforeEach(() => restrictGuests(ctx, olivia));

  test('gets placeholders for users outside of shared conversations', async () => {
    expect(await namesFor(guest)).toEqual([UNKNOWN, 'Guest', 'Peer', 'Friend', UNKNOWN, 'Bot']);
    expect(await namesFor(peer)).toEqual(['Olivia Owner', 'Guest', 'Peer', 'Friend', 'Stranger', 'Bot']);
    const { users } = await getUsers(ctx, guest, { userIds: [stranger.userId, peer.userId] });
    expect(users).toMatchObject([
      { id: peer.userId, fullName: 'Peer' },
      { id: stranger.userId, fullName: UNKNOWN, deliveryEmail: '', role: 400, joinedAtMs: 0 },
    ]);
  });

  test('finds only visible users by id or address', async () => {
    expect((await find(guest, peer)).user?.fullName).toBe('Peer');
    expect((await find(guest, bot)).user?.fullName).toBe('Bot');
    await expect(find(guest, stranger)).rejects.toThrow('Insufficient permission');
    const byEmail = findUser(ctx, guest, { user: { email: stranger.email }, includesProfile: false });
    await expect(byEmail).rejects.toThrow('Insufficient permission');
    await expect(listUserChannels(ctx, guest, { userId: stranger.userId })).rejects.toThrow('Insufficient permission');
    await expect(getUserStatus(ctx, guest, { userId: stranger.userId })).rejects.toThrow('Insufficient permission');
    expect((await getUserStatus(ctx, guest, { userId: peer.userId })).userId).toBe(peer.userId);
    expect((await find(peer, stranger)).user?.fullName).toBe('Stranger');
  });

  test('mutes only visible users, and unmutes also others', async () => {
    const mute = ({ userId }: Person) => muteUser(ctx, guest, { userId });
    await expect(mute(stranger)).rejects.toThrow('Insufficient permission');
    for (const person of [peer, friend, bot]) await mute(person);
    await leave(ctx, guest, ['team']);
    await expect(mute(peer)).rejects.toThrow('Insufficient permission');
    await unmuteUser(ctx, guest, { userId: peer.userId });
    const events = await publicEvents(ctx, olivia, 'muted_users');
    expect(events.at(-1)?.event['muted_users']).toMatchObject([{ id: friend.userId }, { id: bot.userId }]);
  });

  test('gets a state without the other users, their statuses and presences', async () => {
    for (const person of [peer, stranger]) await updateUserStatus(ctx, person, { statusText: 'here' });
    const { users, unknownUserIds, personal } = await getRegisterState(ctx, guest);
    expect(users.filter(({ isSystemBot }) => !isSystemBot).map(({ fullName }) => fullName)).toEqual([
      'Guest',
      'Peer',
      'Friend',
      'Bot',
    ]);
    expect(unknownUserIds).toEqual([olivia.userId, stranger.userId]);
    expect(personal?.statuses.map(({ userId }) => userId)).toEqual([peer.userId]);
  });

  test('gets presences with addresses of known users only, others those of everybody', async () => {
    const nowMs = ctx.clock.now();
    await storePresenceReports(
      ctx.db,
      [peer, stranger].map(({ realmId, userId }) => ({ realmId, userId, isActive: true })),
      nowMs,
    );
    const readers = registerReaders(ctx, channelReader(ctx));
    const presentFor = async (viewer: Person) => {
      const { state } = await getOwnState(ctx, readers, viewer, {
        includesChannels: false,
        presences: { withEmails: true },
      });
      return state?.presences?.presences.map(({ userId, email }) => [userId, email]);
    };
    const shown = ({ userId, email }: Person) => [userId, email];
    expect(await presentFor(guest)).toEqual([shown(peer)]);
    expect(await presentFor(friend)).toEqual([shown(peer), shown(stranger)]);
  });

  test('gets no events about the others', async () => {
    await updateUserStatus(ctx, stranger, { statusText: 'here' });
    await updateUserStatus(ctx, peer, { statusText: 'there' });
    expect(await publicEvents(ctx, olivia, 'user_status')).toMatchObject([
      { audience: { to: 'realm', exceptIds: [guest.userId] } },
      { audience: { to: 'realm' } },
    ]);
    expect(await userAudience(ctx.db, olivia.realmId, bot.userId)).toEqual({ to: 'realm' });
    expect(await userAudience(ctx.db, olivia.realmId, guest.userId)).toEqual({ to: 'realm' });
  });

  test('gets a placeholder for a new user', async () => {
    const dan = await newUser(ctx, olivia, { fullName: 'Dan' });
    const isAboutDan = ({ event }: { event: Record<string, unknown> }) =>
      (event.person as { user_id: number }).user_id === dan.userId;
    const events = (await publicEvents(ctx, olivia, 'realm_user')).filter(isAboutDan);
    expect(events).toMatchObject([
      {
        audience: { to: 'realm', exceptIds: [guest.userId] },
        event: {
          op: 'add',
          person: { full_name: 'Dan', delivery_email: dan.email, is_active: true, profile_data: {} },
        },
      },
      {
        audience: { to: 'users', userIds: [guest.userId] },
        event: { op: 'add', inaccessible_user: true, person: { full_name: UNKNOWN, delivery_email: null } },
      },
    ]);
    const complete = await publicEvents(ctx, olivia, 'realm_user', ['user_list_incomplete']);
    expect(complete.filter(isAboutDan)).toHaveLength(1);
  });

  test('gets users who become visible, and loses users who are visible no longer', async () => {
    await ctx.db.transaction(async (tx) => {
      const before = await loadGuestVisibility(tx, olivia.realmId, [guest.userId]);
      await tx.query('update subscription set is_active = false where user_id = $1', [guest.userId]);
      await meetDirectly(tx, guest, stranger);
      await announceGuestVisibilityChange(tx, olivia.realmId, before);
    });
    const events = (await publicEvents(ctx, olivia, 'realm_user')).slice(-2);
    const toGuest = { audience: { to: 'users', userIds: [guest.userId] } };
    expect(events).toMatchObject([
      { ...toGuest, event: { op: 'add', person: { user_id: stranger.userId, full_name: 'Stranger' } } },
      { ...toGuest, event: { op: 'remove', person: { user_id: peer.userId, full_name: UNKNOWN } } },
    ]);
  });

  test('loses a user once, whatever else changes whom guests see meanwhile', async () => {
    await ctx.db.query('delete from outbox');
    let ended: Promise<unknown> | undefined;
    await ctx.db.transaction(async (tx) => {
      const before = await loadGuestVisibility(tx, olivia.realmId, [peer.userId]);
      ended = deactivateUser(ctx, olivia, { userId: peer.userId });
      await untilWaitingOrEnded(ctx.db, ended, 1);
      await announceGuestVisibilityChange(tx, olivia.realmId, before);
    });
    await ended;
    const events = (await publicEvents(ctx, olivia, 'realm_user')).map(({ event }) => event);
    expect(events.filter(({ op }) => op === 'remove')).toMatchObject([{ person: { user_id: peer.userId } }]);
  });
});

describe('a restricted guest who meets a user at the moment of a change', () => {
  beforeEach(async () => {
    await join(ctx, stranger, ['team of strangers']);
    await restrictGuests(ctx, olivia);
    await ctx.db.query('delete from outbox');
  });

  const meet = (on: typeof ctx) => join(on, stranger, ['team of strangers'], { principalIds: [guest.userId] });

  /** What the guest's events say of the user at last. */
  async function toldOf({ userId }: Person): Promise<Record<string, unknown>> {
    const isToGuest = ({ audience }: TestEvent) =>
      audience.to === 'users'
        ? audience.userIds.includes(guest.userId)
        : audience.to === 'realm' && !audience.exceptIds?.includes(guest.userId);
    const events = (await publicEvents(ctx, olivia, 'realm_user')).filter(isToGuest);
    const people = events.map(({ event }) => event['person'] as Record<string, unknown>);
    const statuses = (await publicEvents(ctx, olivia, 'user_status')).filter(isToGuest);
    return Object.assign(
      {},
      ...[...people, ...statuses.map(({ event }) => event)].filter((each) => each['user_id'] === userId),
    );
  }

  const changes: [string, (on: typeof ctx) => Promise<unknown>, object][] = [
    [
      'their name by an administrator',
      (on) => updateUser(on, olivia, { user: { id: stranger.userId }, fullName: 'Renamed', profileValues: [] }),
      { full_name: 'Renamed' },
    ],
    [
      'their own name',
      (on) => updateUserSettings(on, stranger, { settings: [], fullName: 'Renamed' }),
      { full_name: 'Renamed' },
    ],
    [
      'their time zone',
      (on) => updateUserSettings(on, stranger, { settings: [], timezone: 'Asia/Kolkata' }),
      { timezone: 'Asia/Kolkata' },
    ],
    ['their status', (on) => updateUserStatus(on, stranger, { statusText: 'busy' }), { status_text: 'busy' }],
  ];

  test.each(changes)('of %s is told of it when the change is made while they meet', async (_, change, told) => {
    await changeMeanwhile(ctx, () => change(ctx), meet);
    expect(await toldOf(stranger)).toMatchObject(told);
  });

  test.each(changes)('of %s is told of it when they meet while the change is made', async (_, change, told) => {
    await changeMeanwhile(ctx, () => meet(ctx), change);
    expect(await toldOf(stranger)).toMatchObject(told);
  });
});

test('a new user’s hidden address is in the event for those who may see it only', async () => {
  await ctx.db.query(
    `insert into realm_user_settings_defaults (realm_id, chosen) values ($1, '{"email_address_visibility": 2}')`,
    [olivia.realmId],
  );
  const dan = await newUser(ctx, olivia, { fullName: 'Dan' });
  const events = (await publicEvents(ctx, olivia, 'realm_user')).slice(-2);
  expect(events).toMatchObject([
    {
      audience: { to: 'realm', exceptIds: [guest.userId] },
      event: { person: { user_id: dan.userId, delivery_email: dan.email, email: `user${dan.userId}@hidden.invalid` } },
    },
    { audience: { to: 'users', userIds: [guest.userId] }, event: { person: { delivery_email: null } } },
  ]);
});

describe('the list of users', () => {
  const list = (userIds: number[]) => listUsers(ctx, guest, { userIds, hasUserIds: true, includesProfiles: false });

  test('returns requested ones, each once', async () => {
    const { users, viewerRole } = await list([peer.userId, bot.userId, peer.userId]);
    expect(users.map(({ id }) => id)).toEqual([peer.userId, bot.userId]);
    expect(viewerRole).toBe(600);
    expect((await list([])).users).toEqual([]);
  });

  test('does not find users of other organizations', async () => {
    const { userId } = await newOrganization(ctx);
    for (const id of [userId, -1, 2 ** 62]) await expect(list([peer.userId, id])).rejects.toThrow('No such user');
  });

  test('takes one statement, or two with profiles', async () => {
    const count = async (includesProfiles: boolean) => {
      const before = ctx.db.statementCount;
      await listUsers(ctx, guest, { userIds: [], hasUserIds: false, includesProfiles });
      return ctx.db.statementCount - before;
    };
    expect([await count(false), await count(true)]).toEqual([1, 2]);
  });
});

describe('the channels of a user', () => {
  const channelsOf = (viewer: Person, person: Person, channelId?: number) =>
    listUserChannels(ctx, viewer, { userId: person.userId, ...(channelId !== undefined && { channelId }) });

  test('are those visible to the caller', async () => {
    await join(ctx, peer, ['open']);
    const { channelIds } = await channelsOf(peer, peer);
    expect(channelIds).toHaveLength(2);
    const [team, open] = channelIds as [number, number];
    expect((await channelsOf(guest, peer)).channelIds).toEqual([team]);
    expect((await channelsOf(friend, peer)).channelIds).toEqual([open]);
    expect((await channelsOf(olivia, peer)).channelIds).toEqual([team, open]);
    expect((await channelsOf(friend, peer, open)).channelIds).toEqual([open]);
    expect((await channelsOf(friend, guest, open)).channelIds).toEqual([]);
    await expect(channelsOf(friend, peer, team)).rejects.toThrow('Invalid channel ID');
    await expect(channelsOf(friend, peer, 999_999)).rejects.toThrow('Invalid channel ID');
    await leave(ctx, peer, ['open']);
    expect((await channelsOf(friend, peer, open)).channelIds).toEqual([]);
  });

  test('are those of active people', async () => {
    await expect(channelsOf(olivia, bot)).rejects.toThrow('No such user');
    await ctx.db.query('update user_account set is_active = false where id = $1', [peer.userId]);
    await expect(channelsOf(olivia, peer)).rejects.toThrow('User is deactivated');
  });
});
