import { createHash } from 'node:crypto';
import { openDatabase } from '@parley/shared/db';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser, type Person } from '../../test/examples';
import { isPassword } from '../accounts/password';
import { authenticate } from '../api-keys/authenticate';
import { deactivateRealm } from '../organization/deactivate-realm';
import { purgeRealm } from '../retention/retention';
import { deactivateUser } from '../users/deactivate-user';
import { addApiKey, getOperated, resetPassword } from './operated-accounts';
import { listRealms, reactivateRealm, scheduleRealmPurge } from './operated-realms';

const DAY_MS = 24 * 3_600_000;

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

async function outcomeFor({ subdomain, email }: Person, apiKey: string) {
  const apiKeyHash = createHash('sha256').update(apiKey).digest();
  const { results } = await authenticate(ctx, { credentials: [{ subdomain, email, apiKeyHash }] });
  return results[0]?.outcome;
}

const listed = async () => (await listRealms(ctx)).realms.find(({ id }) => id === olivia.realmId);

describe('the operator acts', () => {
  const operated = (options: { actorEmail?: string; userEmail?: string } = {}) =>
    getOperated(ctx, { subdomain: olivia.subdomain, ...options });

  test('as the owner with the earliest account, by default', async () => {
    await newUser(ctx, olivia, { role: 100 });
    expect(await operated()).toMatchObject({ actorId: olivia.userId, user: null, realm: { id: olivia.realmId } });
    expect(await operated({ actorEmail: iago.email })).toMatchObject({ actorId: iago.userId });
  });

  test('not as accounts that cannot sign in', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    await deactivateUser(ctx, olivia, { userId: iago.userId });
    for (const { email } of [iago, bot]) {
      await expect(operated({ actorEmail: email })).rejects.toThrow('Only active people can be acted as');
    }
  });

  test('on accounts by address, deactivated ones too, but not on those of other organizations', async () => {
    await deactivateUser(ctx, olivia, { userId: iago.userId });
    expect(await operated({ userEmail: iago.email })).toMatchObject({ user: { id: iago.userId, isActive: false } });
    const stranger = await newUser(ctx, await newOrganization(ctx));
    await expect(operated({ userEmail: stranger.email })).rejects.toThrow('No such user');
  });
});

describe('an organization that was closed', () => {
  test('is opened again: the keys of its accounts open it', async () => {
    await deactivateRealm(ctx, olivia, { deletionDelayDays: 14 });
    expect(await listed()).toMatchObject({ isDeactivated: true, dataDeletedFromMs: ctx.clock.now() + 14 * DAY_MS });
    await reactivateRealm(ctx, olivia);
    expect(await outcomeFor(iago, iago.apiKey)).toBe('ok');
    expect(await listed()).toMatchObject({ isDeactivated: false, isPurged: false, people: 2, bots: 0 });
    expect(await listed()).not.toHaveProperty('dataDeletedFromMs');
  });

  test('stays closed from the moment on at which its data may be deleted', async () => {
    await deactivateRealm(ctx, olivia, {});
    const { dataDeletedFromMs } = await scheduleRealmPurge(ctx, { subdomain: olivia.subdomain, delayDays: 1 });
    expect(dataDeletedFromMs).toBe(ctx.clock.now() + DAY_MS);
    ctx.clock.advance(DAY_MS);
    await expect(reactivateRealm(ctx, olivia)).rejects.toThrow('The data of this organization is deleted');
    while (!(await purgeRealm(ctx, { realmId: olivia.realmId })).isComplete);
    expect(await listed()).toMatchObject({ isPurged: true, people: 0 });
    const again = scheduleRealmPurge(ctx, { subdomain: olivia.subdomain, delayDays: 1 });
    await expect(again).rejects.toThrow('The data of this organization is deleted');
  });
});

test('an organization that is open is neither opened nor deleted', async () => {
  const refusal = 'This organization is not deactivated';
  await expect(reactivateRealm(ctx, olivia)).rejects.toThrow(refusal);
  await expect(scheduleRealmPurge(ctx, { subdomain: olivia.subdomain, delayDays: 0 })).rejects.toThrow(refusal);
});

test.each([-1, 1_000_001])('data is not deleted after %d days', async (delayDays) => {
  await deactivateRealm(ctx, olivia, {});
  const scheduled = scheduleRealmPurge(ctx, { subdomain: olivia.subdomain, delayDays });
  await expect(scheduled).rejects.toThrow('The number of days is not from 0 to 1000000');
});

test('a person gets one more key; the others stay', async () => {
  // One connection must suffice.
  const db = openDatabase({ url: ctx.db.url, poolSize: 1, applicationName: 'test' });
  const { apiKey, userId } = await addApiKey({ ...ctx, db }, { ...iago, label: 'backup' });
  await db.close();
  expect(userId).toBe(iago.userId);
  expect([await outcomeFor(iago, apiKey), await outcomeFor(iago, iago.apiKey)]).toEqual(['ok', 'ok']);
  await expect(addApiKey(ctx, { ...iago, label: 'x'.repeat(101) })).rejects.toThrow('label is too long');
});

describe('another password', () => {
  const passwordHash = async () => {
    const [row] = await ctx.db.query<{ hash: string }>('select password_hash as hash from user_account where id = $1', [
      iago.userId,
    ]);
    return row?.hash as string;
  };

  test('revokes the keys, and announces it to their users', async () => {
    const { password, apiKey } = await resetPassword(ctx, iago);
    expect(await isPassword(password, await passwordHash())).toBe(true);
    expect([await outcomeFor(iago, iago.apiKey), await outcomeFor(iago, apiKey)]).toEqual(['unknown', 'ok']);
    const [row] = await ctx.db.query(`select 1 from outbox where realm_id = $1 and kind = 'api-key.revoked'`, [
      iago.realmId,
    ]);
    expect(row).toBeDefined();
  });

  test('may be chosen, but not a weak one', async () => {
    await resetPassword(ctx, { ...iago, password: 'correct horse battery staple' });
    expect(await isPassword('correct horse battery staple', await passwordHash())).toBe(true);
    await expect(resetPassword(ctx, { ...iago, password: 'password' })).rejects.toThrow('The password is too weak.');
  });

  test('is for active accounts of people', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    await deactivateUser(ctx, olivia, { userId: iago.userId });
    await expect(resetPassword(ctx, bot)).rejects.toThrow('This is the account of a bot');
    await expect(resetPassword(ctx, iago)).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
  });
});
