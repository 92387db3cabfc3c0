import { observed, rowsReadIn } from '@parley/shared/testing';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { listAuditEntries } from '../audit/audit-log';
import { recordFailures } from './record-failures';
import { fetchApiKey } from './sign-in';
import { sweepAttempts } from './sign-in.sql';

const MINUTE_MS = 60_000;

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia, { password: 'correct horse' });

const SECRET = 'my secret';
/** Too long for any password, so it is not hashed. */
const LONG_SECRET = SECRET.repeat(100);

const fail = (username: string, address: string, password = SECRET) =>
  expect(
    fetchApiKey(ctx, { subdomain: olivia.subdomain, username, password, label: '', address: '' }, address),
  ).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });

async function recorded() {
  await recordFailures(ctx);
  const { entries } = await listAuditEntries(ctx, { subdomain: olivia.subdomain, limit: 1_000 });
  expect(JSON.stringify(entries)).not.toContain(SECRET);
  return entries.map(({ json }) => JSON.parse(json)).filter(({ act }) => act === 'sign-in-failed');
}

test('failures are recorded by account and address, counted for some minutes', async () => {
  const beganAt = new Date(ctx.clock.now()).toISOString();
  for (let n = 0; n < 3; n += 1) await fail(iago.email, '203.0.113.5');
  await fail(iago.email, '203.0.113.6');
  await fail('nobody@example.com', '203.0.113.5');
  expect(await recorded()).toEqual([]);
  ctx.clock.advance(5 * MINUTE_MS);
  const entries = await recorded();
  expect(entries).toHaveLength(3);
  expect(entries).toContainEqual(
    expect.objectContaining({
      ...{ actor: { kind: 'service' }, subject: { kind: 'user', id: iago.userId }, address: '203.0.113.5' },
      after: { failures: 3, first_at: beganAt, last_at: beganAt },
    }),
  );
  expect(entries).toContainEqual(
    expect.objectContaining({ subject: { kind: 'organization', id: olivia.realmId }, address: '203.0.113.5' }),
  );
  ctx.clock.advance(5 * MINUTE_MS);
  expect(await recorded()).toHaveLength(3);
});

test('however many fail from however many places, few entries are made', async () => {
  for (let n = 0; n < 150; n += 1) await fail(`${n}@example.com`, `2001:db8::${n}`, LONG_SECRET);
  ctx.clock.advance(5 * MINUTE_MS);
  const entries = await recorded();
  expect(entries).toHaveLength(101);
  const together = entries.find(({ address }) => address === undefined);
  expect(together).toMatchObject({ subject: { kind: 'organization' }, after: { failures: 50 } });
});

test('a failure looks at ended attempts, of however many there are', async () => {
  await ctx.db.query(
    `insert into sign_in_attempt (realm_id, login_hash, attempted_at, expires_at)
     select $2, sha256(n::text::bytea), '{}', to_timestamp($1 / 1000.0) + interval '1 hour' * (n - 2) from generate_series(1, 5000) n`,
    [ctx.clock.now(), olivia.realmId],
  );
  await ctx.db.query('vacuum analyze sign_in_attempt');
  const { sql, plans } = observed(ctx.db);
  await sweepAttempts(sql, ctx.clock.now());
  expect(rowsReadIn(plans)).toBeLessThan(100);
});
