import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newGroup, newOrganization, newUser, type Person } from '../../test/examples';
import { loadActor } from './actor';

const DAY_MS = 24 * 3600 * 1000;

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

async function groupsOf(person: Person): Promise<string[]> {
  const { groupIds } = await loadActor(ctx.db, person, ctx.clock.now());
  const rows = await ctx.db.query<{ name: string }>('select name from user_group where id = any($1) order by name', [
    [...groupIds],
  ]);
  return rows.map(({ name }) => name);
}

test.each([
  [100, ['administrators', 'everyone', 'fullmembers', 'internet', 'members', 'moderators', 'owners']],
  [200, ['administrators', 'everyone', 'fullmembers', 'internet', 'members', 'moderators']],
  [300, ['everyone', 'fullmembers', 'internet', 'members', 'moderators']],
  [400, ['everyone', 'fullmembers', 'internet', 'members']],
  [600, ['everyone', 'internet']],
])('role %i is in the system groups %p', async (role, groups) => {
  expect(await groupsOf(await newUser(ctx, olivia, { role }))).toEqual(groups.map((name) => `role:${name}`));
});

test('a bot is in the groups of its own role', async () => {
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  expect(await groupsOf(bot)).toEqual(['role:everyone', 'role:fullmembers', 'role:internet', 'role:members']);
});

test('a group inside a group counts at any depth, system groups included', async () => {
  const [iago, moderator] = [await newUser(ctx, olivia), await newUser(ctx, olivia, { role: 300 })];
  await newGroup(ctx, olivia, { name: 'inner', members: [iago], subgroups: ['role:moderators'] });
  await newGroup(ctx, olivia, { name: 'middle', subgroups: ['inner'] });
  await newGroup(ctx, olivia, { name: 'outer', subgroups: ['middle'] });
  await newGroup(ctx, olivia, { name: 'other' });
  const own = async (person: Person) => (await groupsOf(person)).filter((name) => !name.startsWith('role:'));
  expect(await own(iago)).toEqual(['inner', 'middle', 'outer']);
  expect(await own(moderator)).toEqual(['inner', 'middle', 'outer']);
  expect(await own(await newUser(ctx, olivia))).toEqual([]);
});

test('a member in the waiting period is not a full member', async () => {
  await ctx.db.query(`update realm set settings = '{"waiting_period_threshold": 3}' where id = $1`, [olivia.realmId]);
  const [iago, guest] = [await newUser(ctx, olivia), await newUser(ctx, olivia, { role: 600 })];
  const isFull = async (person: Person) => (await loadActor(ctx.db, person, ctx.clock.now())).isFullMember;
  expect(await Promise.all([iago, guest, olivia].map(isFull))).toEqual([false, false, true]);
  expect(await groupsOf(iago)).toEqual(['role:everyone', 'role:internet', 'role:members']);
  ctx.clock.advance(3 * DAY_MS - 1);
  expect(await isFull(iago)).toBe(false);
  ctx.clock.advance(1);
  expect(await isFull(iago)).toBe(true);
  expect(await groupsOf(iago)).toContain('role:fullmembers');
});

test('takes one statement', async () => {
  const before = ctx.db.statementCount;
  await loadActor(ctx.db, olivia, ctx.clock.now());
  expect(ctx.db.statementCount - before).toBe(1);
});

test('deactivated users and those of other organizations are refused', async () => {
  const iago = await newUser(ctx, olivia);
  const stranger = await newOrganization(ctx);
  await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
  for (const caller of [iago, { ...olivia, realmId: stranger.realmId }]) {
    await expect(loadActor(ctx.db, caller, ctx.clock.now())).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
  }
});
