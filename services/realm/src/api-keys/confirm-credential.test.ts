import { newCall } from '@parley/shared/rpc';
import { newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { getReadFacts } from '../facts/get-read-facts';
import { confirmationOf } from './confirm-credential';
import { isStillGood } from './permissions';

const holder = {
  email: 'user5@org.example.com',
  deliveryEmail: 'olivia@example.com',
  isActive: true,
  role: 400,
  subdomain: 'org',
  isRealmDeactivated: false,
};
const used = { apiKeyId: 1, email: 'Olivia@example.com', subdomain: 'org', role: 400 };

test.each([
  ['as it was', {}, {}, true],
  [
    'of the version before, which names neither organization nor role',
    {},
    { subdomain: undefined, role: undefined },
    true,
  ],
  ['another address', {}, { email: 'eve@example.com' }, false],
  ['a deactivated account', { isActive: false }, {}, false],
  ['a closed organization', { isRealmDeactivated: true }, {}, false],
  ['an organization of another name', { subdomain: 'other' }, {}, false],
  ['an account with another role', { role: 600 }, {}, false],
])('a credential that was good before: %s', (_case, account, credential, isGood) => {
  expect(isStillGood({ ...used, ...credential } as typeof used, { ...holder, ...account })).toBe(isGood);
  expect(isStillGood(used, null)).toBe(false);
});

describe('the credentials of calls', () => {
  let ctx: TestContext;
  let olivia: Person;

  beforeAll(async () => {
    ctx = await openContext();
    olivia = await newOrganization(ctx);
  });
  afterAll(() => ctx.close());

  const callOf = async ({ realmId, userId, email, subdomain }: Person, more: { userId?: number } = {}) => {
    const [key] = await ctx.db.query<{ id: number; role: number }>(
      `select k.id, u.role from api_key k join user_account u on u.realm_id = k.realm_id and u.id = k.user_id
       where k.realm_id = $1 and k.user_id = $2 order by k.id desc limit 1`,
      [realmId, userId],
    );
    const credential = { apiKeyId: key?.id as number, email, subdomain, role: key?.role as number, isConfirmed: false };
    return { ...newCall(), realmId, userId, credential, ...more };
  };

  test('of concurrent calls are confirmed together, each for itself', async () => {
    const { confirm } = confirmationOf(ctx);
    const [zoe, iago, eve] = [await newUser(ctx, olivia), await newUser(ctx, olivia), await newUser(ctx, olivia)];
    await ctx.db.query('update api_key set revoked_at = now() where user_id = $1', [eve.userId]);
    const calls = [
      await callOf(zoe),
      await callOf(eve),
      await callOf(iago, { userId: zoe.userId }),
      await callOf(await newOrganization(ctx)),
      await callOf(iago),
    ];
    const before = ctx.db.statementCount;
    const outcomes = await Promise.allSettled(calls.map(confirm));
    expect(ctx.db.statementCount).toBe(before + 1);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(outcomes[1]).toMatchObject({ reason: { code: 'UNAUTHORIZED' } });
  });

  test('are confirmed by the statement that reads the facts about a reader', async () => {
    const [iago, eve] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
    const [good, revoked] = [await callOf(iago), await callOf(eve)];
    await ctx.db.query('update api_key set revoked_at = now() where user_id = $1', [eve.userId]);
    const before = ctx.db.statementCount;
    await getReadFacts(ctx, good);
    expect(ctx.db.statementCount).toBe(before + 1);
    expect(good.credential.isConfirmed).toBe(true);
    const unauthorized = { code: 'UNAUTHORIZED' };
    await expect(getReadFacts(ctx, revoked)).rejects.toMatchObject(unauthorized);
    await expect(getReadFacts(ctx, await callOf(iago, { userId: olivia.userId }))).rejects.toMatchObject(unauthorized);
    await ctx.db.query('update user_account set is_active = false where realm_id = $1 and id = $2', [
      iago.realmId,
      iago.userId,
    ]);
    await expect(getReadFacts(ctx, await callOf(iago))).rejects.toMatchObject(unauthorized);
    // A caller without a credential to confirm is accepted.
    await getReadFacts(ctx, { ...newCall(), realmId: iago.realmId, userId: iago.userId });
  });
});
