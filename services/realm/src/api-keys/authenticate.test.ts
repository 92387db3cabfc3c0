import { createHash } from 'node:crypto';
import { newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { issueApiKey } from './api-keys';
import { authenticate } from './authenticate';
import { judgeCredential } from './permissions';

const holder = {
  email: 'user5@org.example.com',
  deliveryEmail: 'Olivia@Example.com',
  isActive: true,
  subdomain: 'org',
  isRealmDeactivated: false,
};
const credential = { subdomain: 'org', email: 'olivia@example.com', apiKeyHash: Buffer.alloc(32) };

test.each([
  ['either address will do: the real one', {}, {}, 'ok'],
  ['either address will do: the shown one, in any casing', {}, { email: 'USER5@org.example.com' }, 'ok'],
  ['another address', { isRealmDeactivated: true, isActive: false }, { email: 'eve@example.com' }, 'unknown'],
  ['a deactivated organization', { isRealmDeactivated: true, isActive: false }, {}, 'realm_deactivated'],
  ['a deactivated account', { isActive: false }, { subdomain: 'other' }, 'user_deactivated'],
  ['the host of another organization', {}, { subdomain: '' }, 'wrong_subdomain'],
])('credentials of a known key: %s', (_case, account, shown, outcome) => {
  expect(judgeCredential({ ...credential, ...shown }, { ...holder, ...account })).toBe(outcome);
});

test('credentials of an unknown key tell nothing of the address', () => {
  expect(judgeCredential(credential, null)).toBe('unknown');
});

describe('authenticate', () => {
  let ctx: TestContext;
  let olivia: Person;

  beforeAll(async () => {
    ctx = await openContext();
    olivia = await newOrganization(ctx);
  });
  afterAll(() => ctx.close());

  const shownBy = (person: Person) => ({
    subdomain: person.subdomain,
    email: person.email,
    apiKeyHash: createHash('sha256').update(person.apiKey).digest(),
  });
  const NOBODY = { apiKeyId: 0, realmId: 0, userId: 0, role: 0, isBot: false };

  test('answers every credential in order, in one statement', async () => {
    const bot = await newUser(ctx, olivia, { botType: 2, botOwnerEmail: olivia.email });
    const stranger = await newOrganization(ctx);
    const before = ctx.db.statementCount;
    const { results } = await authenticate(ctx, {
      credentials: [
        shownBy(bot),
        { ...shownBy(olivia), apiKeyHash: Buffer.alloc(32) },
        shownBy(olivia),
        { ...shownBy(stranger), subdomain: olivia.subdomain },
        shownBy(olivia),
        { ...shownBy(olivia), apiKeyHash: Buffer.from('short') },
      ],
    });
    expect(ctx.db.statementCount - before).toBe(1);
    const { realmId } = olivia;
    const apiKeyId = expect.any(Number);
    expect(results).toEqual([
      { outcome: 'ok', apiKeyId, realmId, userId: bot.userId, role: 400, isBot: true, botType: 2 },
      { outcome: 'unknown', ...NOBODY },
      { outcome: 'ok', apiKeyId, realmId, userId: olivia.userId, role: 100, isBot: false },
      { outcome: 'wrong_subdomain', ...NOBODY },
      { outcome: 'ok', apiKeyId, realmId, userId: olivia.userId, role: 100, isBot: false },
      { outcome: 'unknown', ...NOBODY },
    ]);
  });

  test('knows several keys of one account, until one is revoked', async () => {
    const iago = await newUser(ctx, olivia);
    const phone = await ctx.db.transaction((tx) => issueApiKey(tx, { ...iago, createdAtMs: ctx.clock.now() }));
    const credentials = [shownBy(iago), shownBy({ ...iago, apiKey: phone })];
    const outcomes = async () => (await authenticate(ctx, { credentials })).results.map(({ outcome }) => outcome);
    expect(await outcomes()).toEqual(['ok', 'ok']);
    await ctx.db.query('update api_key set revoked_at = now() where key_hash = $1', [credentials[0]?.apiKeyHash]);
    expect(await outcomes()).toEqual(['unknown', 'ok']);
  });

  test('stores a key as its SHA-256 only', async () => {
    expect(olivia.apiKey).toMatch(/^[A-Za-z0-9]{32}$/);
    const rows = await ctx.db.query<{ row: string }>(
      'select k::text as row from api_key k union all select u::text from user_account u',
    );
    expect(rows.filter(({ row }) => row.includes(olivia.apiKey))).toEqual([]);
  });

  test('refuses more credentials than it would answer in good time', async () => {
    const credentials = Array.from({ length: 1001 }, () => shownBy(olivia));
    await expect(authenticate(ctx, { credentials })).rejects.toThrow('Too many credentials');
  });
});
