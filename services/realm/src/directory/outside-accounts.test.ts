import type { User } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { findUser } from '../accounts/users.sql';
import { storeRealmSettings } from '../organization/realms.sql';
import { followOutsideRole, openOutsideAccount, outsideName } from './outside-accounts';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

const open = (email: string, fullName: string) =>
  ctx.db.transaction((tx) =>
    openOutsideAccount(tx, { realmId: olivia.realmId, email, fullName, role: ROLES.member }, ctx.clock.now()),
  );
const follow = async (userId: number, role: number) => {
  const user = (await findUser(ctx.db, olivia.realmId, userId)) as User;
  return ctx.db.transaction((tx) => followOutsideRole(tx, user, role, ctx.clock.now()));
};
const roleOf = async (userId: number) => (await findUser(ctx.db, olivia.realmId, userId))?.role;

test.each([
  ['Ann  Example ', 'Ann Example'],
  ['Ann *the* `boss` @all|5', 'Ann the boss all 5'],
  ['\u0000', 'ann.b'],
  ['', 'ann.b'],
  ['x'.repeat(200), 'x'.repeat(100)],
])('the outside name %j becomes %j', (name, expected) => {
  expect(outsideName(name, 'ann.b@example.com')).toBe(expected);
});

test('an account from outside is a member like others, and a taken address is refused', async () => {
  const user = await open('Ann@example.com', 'Ann');
  expect(user).toMatchObject({ fullName: 'Ann', deliveryEmail: 'Ann@example.com', isActive: true, role: ROLES.member });
  await expect(open('ann@EXAMPLE.com', 'Ann')).rejects.toMatchObject({
    name: 'EmailInUseError',
    message: 'Email is already in use.',
  });
});

test('where names are unique, namesakes get a number', async () => {
  await storeRealmSettings(ctx.db, olivia.realmId, { require_unique_names: true });
  await open('ann@example.com', 'Ann');
  expect((await open('ann2@example.com', 'ann')).fullName).toBe('ann 2');
});

test('roles follow, but the last owner stays one', async () => {
  expect(await follow(olivia.userId, ROLES.member)).toBe(false);
  expect(await follow(iago.userId, ROLES.owner)).toBe(true);
  expect(await follow(olivia.userId, ROLES.member)).toBe(true);
  expect([await roleOf(olivia.userId), await roleOf(iago.userId)]).toEqual([ROLES.member, ROLES.owner]);
});
