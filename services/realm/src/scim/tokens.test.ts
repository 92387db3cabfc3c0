import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newOrganization } from '../../test/examples';
import { hashed, newProvider, providerWith } from '../../test/scim';
import { createScimToken, listScimTokens, revokeScimToken, rotateScimToken } from './tokens';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia, { role: 200 });

const works = (subdomain: string, token: string) =>
  providerWith(ctx, subdomain, token)
    .list('User', { count: 0 })
    .then(
      () => true,
      ({ code, message }) => `${code}: ${message}`,
    );
const REFUSED = 'UNAUTHORIZED: Invalid bearer token';

test('a token is valid in its organization only, and stored as a hash', async () => {
  const { token } = await newProvider(ctx, olivia);
  expect(token).toMatch(/^parley_scim_[A-Za-z0-9]{32}$/);
  expect(await works(olivia.subdomain, token)).toBe(true);
  const other = await newOrganization(ctx);
  for (const [subdomain, secret] of [
    [other.subdomain, token],
    [olivia.subdomain, `${token}x`],
    [olivia.subdomain, ''],
    ['nul\0', token],
  ] as const) {
    expect(await works(subdomain, secret)).toBe(REFUSED);
  }
  const rows = await ctx.db.query('select token_hash as hash from scim_token where realm_id = $1', [olivia.realmId]);
  expect(rows).toEqual([{ hash: hashed(token) }]);
});

test('of a closed organization is refused', async () => {
  const { token } = await newProvider(ctx, olivia);
  await ctx.db.query('update realm set is_deactivated = true where id = $1', [olivia.realmId]);
  expect(await works(olivia.subdomain, token)).toBe(REFUSED);
});

test('a rotated token has a new secret; the former one is valid for as long as was asked', async () => {
  const { token, tokenId } = await newProvider(ctx, olivia);
  const rotate = (overlapMinutes: number) => rotateScimToken(ctx, olivia, { tokenId, overlapMinutes });
  const second = await rotate(60);
  expect(await works(olivia.subdomain, token)).toBe(true);
  expect((await listScimTokens(ctx, olivia)).tokens).toMatchObject([
    { id: tokenId, name: 'Entra', formerEndsAtMs: ctx.clock.now() + 3_600_000 },
  ]);
  ctx.clock.advance(3_600_000);
  expect([await works(olivia.subdomain, token), await works(olivia.subdomain, second.token)]).toEqual([REFUSED, true]);
  const third = await rotate(0);
  expect([await works(olivia.subdomain, second.token), await works(olivia.subdomain, third.token)]).toEqual([
    REFUSED,
    true,
  ]);
  await expect(rotate(10_081)).rejects.toThrow('overlap_minutes is not from 0 to 10080');
});

test('a revoked token ends with its former secret', async () => {
  const { token, tokenId } = await newProvider(ctx, olivia);
  const { token: second } = await rotateScimToken(ctx, olivia, { tokenId, overlapMinutes: 60 });
  await revokeScimToken(ctx, olivia, { tokenId });
  expect([await works(olivia.subdomain, token), await works(olivia.subdomain, second)]).toEqual([REFUSED, REFUSED]);
  const again = [
    revokeScimToken(ctx, olivia, { tokenId }),
    rotateScimToken(ctx, olivia, { tokenId, overlapMinutes: 0 }),
  ];
  for (const each of again) await expect(each).rejects.toThrow('No such token');
  expect((await listScimTokens(ctx, olivia)).tokens).toEqual([]);
});

test('tokens are the owners’ alone, and of one organization', async () => {
  const { tokenId } = await newProvider(ctx, olivia);
  const attempts = [
    createScimToken(ctx, iago, { name: 'Mine' }),
    listScimTokens(ctx, iago),
    rotateScimToken(ctx, iago, { tokenId, overlapMinutes: 0 }),
    revokeScimToken(ctx, iago, { tokenId }),
  ];
  for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
  const stranger = await newOrganization(ctx);
  await expect(revokeScimToken(ctx, stranger, { tokenId })).rejects.toThrow('No such token');
  await expect(revokeScimToken(ctx, olivia, { tokenId: -1 })).rejects.toThrow('No such token');
});

test.each([
  ['  ', 'A token needs a name'],
  ['Ent\u001b[2Jra', 'Invalid character in name, at position 4.'],
  ['x'.repeat(101), 'name is too long (limit: 100 characters)'],
])('a token cannot be called %j', async (name, text) => {
  await expect(createScimToken(ctx, olivia, { name })).rejects.toThrow(text);
});

test('an organization has at most 20 tokens', async () => {
  for (let count = 0; count < 20; count += 1) await createScimToken(ctx, olivia, { name: `Token ${count}` });
  await expect(createScimToken(ctx, olivia, { name: 'More' })).rejects.toThrow('Too many tokens (limit: 20)');
});
