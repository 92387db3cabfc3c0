import { isDeepStrictEqual } from 'node:util';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { join, leave, newGroup, newOrganization, newUser } from '../../test/examples';
import { updateUserStatus } from '../personal/statuses';
import { storePresenceReports } from '../presence/presence.sql';
import { createProfileField } from '../profiles/profile-fields';
import { organizationReader } from '../register/organization-state';
import { deactivateUser } from '../users/deactivate-user';
import { updateUser } from '../users/update-user';
import { updateUserSettings } from '../users/update-user-settings';
import { getUserLists } from '../users/user-lists';
import { channelReader, getChannelObjects, getGroupList, getSubscriberLists } from './list-versions';

const DAY_MS = 24 * 3600_000;

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

const lists = { clientGravatar: true, includesProfiles: true, isDivided: true, isForVisitors: false, knownVersion: '' };

describe('a current version gets no content until the list changes', () => {
  const versions = async () => ({
    users: (await getUserLists(ctx, olivia, { ...lists, viewerRole: 100 })).version,
    groups: (await getGroupList(ctx, olivia, { includesDeactivated: true, knownVersion: '' })).version,
    channels: (await getChannelObjects(channelReader(ctx), olivia, { knownVersion: '' })).version,
    subscribers: (await getSubscriberLists(ctx, olivia, { knownVersion: '', isPartial: false })).version,
    partial: (await getSubscriberLists(ctx, olivia, { knownVersion: '', isPartial: true })).version,
  });
  const isThere = (isActive = true) => storePresenceReports(ctx.db, [{ ...iago, isActive }], ctx.clock.now());

  test('nothing has changed', async () => {
    const { users, groups, channels, subscribers } = await versions();
    expect(await getUserLists(ctx, olivia, { ...lists, viewerRole: 100, knownVersion: users })).toMatchObject({
      isKnown: true,
    });
    const known = { isKnown: true };
    expect(await getGroupList(ctx, olivia, { includesDeactivated: true, knownVersion: groups })).toMatchObject(known);
    expect(await getChannelObjects(channelReader(ctx), olivia, { knownVersion: channels })).toMatchObject(known);
    const asked = { knownVersion: subscribers, isPartial: false };
    expect(await getSubscriberLists(ctx, olivia, asked)).toEqual({ version: subscribers, isKnown: true, lists: [] });
  });

  test('one statement tells that it is current', async () => {
    const { users, groups, channels, subscribers } = await versions();
    const channelsOf = channelReader(ctx);
    await channelsOf(olivia.realmId);
    const before = ctx.db.statementCount;
    await getUserLists(ctx, olivia, { ...lists, viewerRole: 100, knownVersion: users });
    await getGroupList(ctx, olivia, { includesDeactivated: true, knownVersion: groups });
    await getChannelObjects(channelsOf, olivia, { knownVersion: channels });
    await getSubscriberLists(ctx, olivia, { knownVersion: subscribers, isPartial: false });
    expect(ctx.db.statementCount - before).toBe(4);
  });

  test.each<[string, () => Promise<unknown>, (keyof Awaited<ReturnType<typeof versions>>)[]]>([
    [
      'a name',
      () => updateUser(ctx, olivia, { user: { id: iago.userId }, fullName: 'Iago II', profileValues: [] }),
      ['users'],
    ],
    [
      'a role',
      () => updateUser(ctx, olivia, { user: { id: iago.userId }, role: 300, profileValues: [] }),
      ['users', 'groups', 'channels'],
    ],
    ['an account', () => newUser(ctx, olivia), ['users', 'groups', 'channels', 'subscribers', 'partial']],
    [
      'a deactivation',
      () => deactivateUser(ctx, olivia, { userId: iago.userId }),
      ['users', 'groups', 'channels', 'subscribers', 'partial'],
    ],
    [
      'a custom field',
      () =>
        createProfileField(ctx, olivia, {
          type: 1,
          name: 'Phone',
          hint: '',
          fieldData: '',
          isInSummary: false,
          isRequired: false,
          isEditableByUser: true,
        }),
      ['users'],
    ],
    ['a group', () => newGroup(ctx, olivia, { name: 'friends', members: [iago] }), ['groups', 'channels']],
    ['a channel', () => join(ctx, olivia, ['new']), ['channels', 'subscribers', 'partial']],
    [
      'a description',
      () => ctx.db.query(`update channel set description = 'new' where realm_id = $1`, [olivia.realmId]),
      ['channels'],
    ],
    ['a subscriber who leaves', () => leave(ctx, iago, ['general']), ['channels', 'subscribers', 'partial']],
    ['somebody who was never there', () => isThere(), ['partial']],
    ['a status', () => updateUserStatus(ctx, iago, { statusText: 'busy' }), []],
    ['a change elsewhere', async () => newUser(ctx, await newOrganization(ctx)), []],
  ])('%s changes the versions of its lists only', async (_what, change, changed) => {
    const before = await versions();
    await change();
    const after = await versions();
    const differing = Object.keys(before).filter(
      (part) => !isDeepStrictEqual(Reflect.get(before, part), Reflect.get(after, part)),
    );
    expect(differing).toEqual(changed);
  });

  test('members whose waiting period ends change the groups, one after the other; the clock alone does not', async () => {
    const days = JSON.stringify({ waiting_period_threshold: 3 });
    await ctx.db.query('update realm set settings = settings || $2::jsonb where id = $1', [olivia.realmId, days]);
    ctx.clock.advance(DAY_MS);
    await newUser(ctx, olivia);
    const seen = new Set<string>();
    for (let day = 0; day < 5; day += 1) {
      ctx.clock.advance(DAY_MS);
      seen.add((await versions()).groups);
    }
    expect(seen.size).toBe(3);
  });

  test('a return changes partial lists after a long absence only; inactive users drop out with the day', async () => {
    await isThere();
    const { partial } = await versions();
    ctx.clock.advance(60_000);
    await isThere();
    expect((await versions()).partial).toBe(partial);
    ctx.clock.advance(20 * DAY_MS);
    const away = (await versions()).partial;
    expect(away).not.toBe(partial);
    await isThere();
    expect((await versions()).partial).not.toBe(away);
  });
});

test('cached statuses are always current', async () => {
  const memory = organizationReader(ctx);
  // A new reader for each call, so that only the cache is shared.
  const organizationOf: typeof memory = ({ query }, realmId) => memory({ query }, realmId);
  const statuses = async () =>
    (await organizationOf(ctx.db, olivia.realmId)).statuses.map(({ statusText }) => statusText);
  expect(await statuses()).toEqual([]);
  await updateUserStatus(ctx, iago, { statusText: 'busy' });
  expect(await statuses()).toEqual(['busy']);
  await updateUserSettings(ctx, olivia, { settings: [{ name: 'presence_enabled', boolean: false }] });
  expect(await statuses()).toEqual(['', 'busy']);
  await deactivateUser(ctx, olivia, { userId: iago.userId });
  expect(await statuses()).toEqual(['']);
});
