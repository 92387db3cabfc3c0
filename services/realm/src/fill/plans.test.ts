import { ROLES, SeededRandom } from '@parley/shared/values';
import { candidatesFor, channelSizes, planChannels, planSubscribers } from './plan-channels';
import { planAccounts, planGroups, planProfiles } from './plan-people';

const COUNT = 2_000;

function accounts(seed = 1) {
  const { people, bots } = planAccounts(COUNT, new SeededRandom(seed));
  return { people, bots, all: [...people, ...bots] };
}

describe('the accounts of a filled organization', () => {
  test('are as many as wanted, under addresses of their own, the same for the same seed', () => {
    expect(accounts().all).toHaveLength(COUNT);
    expect(new Set(accounts().all.map(({ email }) => email)).size).toBe(COUNT);
    expect(accounts(1)).toEqual(accounts(1));
    expect(accounts(2)).not.toEqual(accounts(1));
  });

  test('are people of all roles but owners, some deactivated, and bots of active members', () => {
    const { people, bots } = accounts();
    const roles = new Set(people.map(({ role }) => role));
    expect([...roles].sort()).toEqual([ROLES.administrator, ROLES.moderator, ROLES.member, ROLES.guest]);
    expect(people.some(({ isActive }) => !isActive)).toBe(true);
    expect(bots.length).toBe(COUNT * 0.02);
    for (const { bot } of bots) {
      const owner = people[bot?.owner as number];
      expect(owner?.isActive && owner.role !== ROLES.guest && owner.bot === null).toBe(true);
    }
  });

  test.each([1, 2, 49, 50, 51])('may be as few as %d', (count) => {
    const { people, bots } = planAccounts(count, new SeededRandom(3));
    expect(people.length + bots.length).toBe(count);
  });

  test('have managers ahead of them', () => {
    const profiles = planProfiles(500, new SeededRandom(1));
    expect(profiles.some(({ manager }) => manager !== null)).toBe(true);
    for (const [index, { manager }] of profiles.entries()) if (manager !== null) expect(manager).toBeLessThan(index);
  });
});

describe('the sizes of channels', () => {
  test.each([
    [2_000, 20_000, 20],
    [100, 1_000, 5],
    [30, 30, 10],
  ])('of %d channels for %d users fall from everyone to few, with %d subscriptions a user', (count, users, perUser) => {
    const sizes = channelSizes(count, users, perUser);
    expect(sizes).toHaveLength(count);
    expect(sizes[0]).toBe(users);
    expect([...sizes].sort((a, b) => b - a)).toEqual(sizes);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    const mean = sizes.reduce((sum, size) => sum + size) / users;
    expect(Math.abs(mean / perUser - 1)).toBeLessThan(0.1);
  });

  test('are everyone when there are no more channels than subscriptions', () => {
    expect(channelSizes(3, 50, 3)).toEqual([50, 50, 50]);
    expect(channelSizes(0, 50, 3)).toEqual([]);
  });
});

test('channels have names of their own; the first is for everyone; private ones are not web-public', () => {
  const channels = planChannels(1_200, COUNT, 20, new SeededRandom(1));
  expect(new Set(channels.map(({ name }) => name)).size).toBe(1_200);
  expect(channels[0]).toMatchObject({ isPrivate: false, isArchived: false, size: COUNT });
  const kinds = new Set(
    channels.map(({ isPrivate, isWebPublic, isHistoryPublic, isArchived }) =>
      [isPrivate, isWebPublic, isHistoryPublic, isArchived].map(Number).join(''),
    ),
  );
  expect([...kinds]).toEqual(expect.arrayContaining(['0010', '0110', '1010', '1000', '0011', '1011']));
  expect([...kinds].filter((kind) => kind.startsWith('11') || kind.startsWith('000'))).toEqual([]);
});

test('groups have names of their own, and are inside earlier ones only', () => {
  const groups = planGroups(60, [...accounts().all.keys()], new SeededRandom(1));
  expect(new Set(groups.map(({ name }) => name)).size).toBe(60);
  expect(groups.some(({ parent }) => parent !== null)).toBe(true);
  for (const [index, { parent, members }] of groups.entries()) {
    if (parent !== null) expect(parent).toBeLessThan(index);
    expect(new Set(members).size).toBe(members.length);
  }
});

describe('the subscribers of a channel', () => {
  const { all } = accounts();
  const plan = (size: number, seed = 1) => {
    const random = new SeededRandom(seed);
    const members = random.sample(candidatesFor(0, all), size);
    return planSubscribers(
      0,
      members,
      all,
      all.map(() => new Set()),
      random,
    );
  };

  test.each([0, 1, 2, 9, 100, COUNT])('%d members came and went in changes without a gap', (size) => {
    const { version, intervals, subscriptions, subscriberCount } = plan(size);
    expect(subscriptions).toHaveLength(size);
    const bounds = intervals.flatMap(({ fromVersion, toVersion }) => [fromVersion, toVersion ?? 1]);
    expect([...new Set(bounds)].sort((a, b) => a - b)).toEqual(
      Array.from({ length: version }, (_, index) => index + 1),
    );
    for (const { fromVersion, toVersion } of intervals) if (toVersion) expect(toVersion).toBeGreaterThan(fromVersion);
    expect(intervals.filter(({ toVersion }) => toVersion === null)).toHaveLength(subscriberCount);
  });

  test('receive while they are active and have not left; deactivated ones keep the subscription', () => {
    const { intervals, subscriptions } = plan(COUNT);
    const receiving = new Set(intervals.flatMap(({ account, toVersion }) => (toVersion === null ? [account] : [])));
    for (const { account, isActive } of subscriptions)
      expect(receiving.has(account)).toBe(isActive && all[account]?.isActive === true);
    expect(subscriptions.some(({ isActive }) => !isActive)).toBe(true);
    expect(subscriptions.some(({ account, isActive }) => isActive && !all[account]?.isActive)).toBe(true);
  });

  test('are guests and bots in some channels only', () => {
    const isOther = (account: number) => all[account]?.role === ROLES.guest || all[account]?.bot != null;
    expect(candidatesFor(10, all).some(isOther)).toBe(true);
    expect(candidatesFor(11, all).some(isOther)).toBe(false);
  });
});
