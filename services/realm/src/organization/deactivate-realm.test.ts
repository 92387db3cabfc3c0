import { createHash } from 'node:crypto';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newUser, type Person } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { authenticate } from '../api-keys/authenticate';
import { fetchApiKey } from '../sign-in/sign-in';
import { deactivateRealm } from './deactivate-realm';

const DAY_MS = 24 * 3_600_000;

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const stored = async () => {
  const [row] = await ctx.db.query(
    `select is_deactivated as "isDeactivated", deactivated_at as "deactivatedAtMs", data_deleted_from as "dataDeletedFromMs"
     from realm where id = $1`,
    [olivia.realmId],
  );
  return row;
};

const outcomeFor = async ({ subdomain, email, apiKey }: Person) => {
  const apiKeyHash = createHash('sha256').update(apiKey).digest();
  const { results } = await authenticate(ctx, { credentials: [{ subdomain, email, apiKeyHash }] });
  return results[0]?.outcome;
};

test('a closed organization refuses everybody, which is announced to everybody', async () => {
  const iago = await newUser(ctx, olivia);
  await deactivateRealm(ctx, olivia, {});
  expect(await outcomeFor(iago)).toBe('realm_deactivated');
  expect(await outcomeFor(olivia)).toBe('realm_deactivated');
  const login = { subdomain: olivia.subdomain, username: olivia.email, password: 'x', label: '', address: '' };
  await expect(fetchApiKey(ctx, login)).rejects.toMatchObject({ code: 'REALM_DEACTIVATED', httpStatus: 401 });
  await expect(newUser(ctx, olivia)).rejects.toMatchObject({ code: 'REALM_DEACTIVATED' });
  expect(await stored()).toEqual({ isDeactivated: true, deactivatedAtMs: ctx.clock.now(), dataDeletedFromMs: null });
  expect(await publicEvents(ctx, olivia, 'realm')).toEqual([
    { audience: { to: 'realm' }, event: { type: 'realm', op: 'deactivated', realm_id: olivia.realmId } },
  ]);
});

test('its data may be deleted from some day on', async () => {
  await deactivateRealm(ctx, olivia, { deletionDelayDays: 14 });
  expect(await stored()).toMatchObject({ dataDeletedFromMs: ctx.clock.now() + 14 * DAY_MS });
});

test.each([
  [13, 'Data deletion time must be at least 14 days in the future.'],
  [-1, 'Data deletion time must be at least 14 days in the future.'],
  [2 ** 31 - 1, 'Data deletion time must be at most 1000000 days in the future.'],
])('%d days are refused', async (deletionDelayDays, message) => {
  await expect(deactivateRealm(ctx, olivia, { deletionDelayDays })).rejects.toThrow(message);
  expect(await stored()).toMatchObject({ isDeactivated: false });
});

test('only owners may', async () => {
  const administrator = await newUser(ctx, olivia, { role: 200 });
  await expect(deactivateRealm(ctx, administrator, { deletionDelayDays: 1 })).rejects.toMatchObject({
    code: 'UNAUTHORIZED_PRINCIPAL',
    message: 'Must be an organization owner',
  });
});

test('of two concurrent closings, one is refused', async () => {
  const other = await newUser(ctx, olivia, { role: 100 });
  const results = await Promise.allSettled([deactivateRealm(ctx, olivia, {}), deactivateRealm(ctx, other, {})]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await publicEvents(ctx, olivia, 'realm')).toHaveLength(1);
});
