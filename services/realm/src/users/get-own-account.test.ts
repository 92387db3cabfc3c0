import { newCall } from '@parley/shared/rpc';
import { newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { getOwnUser } from '../accounts/get-own-user';
import { getOwnAccount } from './get-own-account';

let ctx: TestContext;
let olivia: Person;

beforeAll(async () => {
  ctx = await openContext();
  olivia = await newOrganization(ctx);
});
afterAll(() => ctx.close());

async function keyOf({ realmId, userId }: Person): Promise<number> {
  const keys = await ctx.db.query<{ id: number }>('select id from api_key where realm_id = $1 and user_id = $2', [
    realmId,
    userId,
  ]);
  return keys[0]?.id as number;
}

test('an account, with the versions of the channels that it received, takes one statement', async () => {
  const iago = await newUser(ctx, olivia);
  const intervals = await ctx.db.query(
    `select channel_id as "channelId", from_version as "fromVersion" from subscription_interval
     where realm_id = $1 and user_id = $2`,
    [iago.realmId, iago.userId],
  );
  const before = ctx.db.statementCount;
  const account = await getOwnAccount(ctx, { ...newCall(), ...iago });
  expect(ctx.db.statementCount).toBe(before + 1);
  expect(account).toEqual({ user: await getOwnUser(ctx, { ...newCall(), ...iago }), profile: [], received: intervals });
});

test('the statement confirms the credential', async () => {
  const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
  const ask = async (of: Person, apiKeyId: number) => {
    const { email, subdomain, realmId, userId } = of;
    const credential = { apiKeyId, email, subdomain, role: 400, isConfirmed: false };
    await getOwnAccount(ctx, { ...newCall(), realmId, userId, credential });
    return credential.isConfirmed;
  };
  expect(await ask(iago, await keyOf(iago))).toBe(true);
  await expect(ask(iago, await keyOf(zoe))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  await ctx.db.query('update api_key set revoked_at = now() where user_id = $1', [iago.userId]);
  await expect(ask(iago, await keyOf(iago))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});
