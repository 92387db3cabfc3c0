import { createHash } from 'node:crypto';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser, type Person } from '../../test/examples';
import { payloadsOf } from '../../test/public-events';
import { addOwnApiKey, getApiKeys, issueApiKey, regenerateApiKey, revokeApiKey } from './api-keys';
import { authenticate } from './authenticate';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const issue = (person: Person, label: string) =>
  ctx.db.transaction((tx) => issueApiKey(tx, { ...person, label, createdAtMs: ctx.clock.now() }));

async function working({ subdomain, email }: Person, apiKeys: readonly string[]): Promise<string[]> {
  const credentials = apiKeys.map((key) => ({
    subdomain,
    email,
    apiKeyHash: createHash('sha256').update(key).digest(),
  }));
  const { results } = await authenticate(ctx, { credentials });
  return apiKeys.filter((_key, index) => results[index]?.outcome === 'ok');
}

describe('a new key for all', () => {
  test('revokes all earlier keys of the account, and no others', async () => {
    const iago = await newUser(ctx, olivia);
    const phone = await issue(olivia, 'phone');
    const { keys } = await getApiKeys(ctx, olivia);
    const { apiKey } = await regenerateApiKey(ctx, olivia);
    expect(await working(olivia, [olivia.apiKey, phone, apiKey])).toEqual([apiKey]);
    expect(await working(iago, [iago.apiKey])).toEqual([iago.apiKey]);
    const revoked = await payloadsOf<{ keyIds: number[] }>(ctx, olivia, 'api-key.revoked');
    expect(revoked).toEqual([{ userId: olivia.userId, keyIds: expect.any(Array) }]);
    expect(revoked[0]?.keyIds.toSorted()).toEqual(keys.map(({ id }) => id));
  });

  test('is for bots as well', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    const { apiKey } = await regenerateApiKey(ctx, bot);
    expect(await working(bot, [bot.apiKey, apiKey])).toEqual([apiKey]);
  });

  test('requested twice concurrently leaves one that works', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => regenerateApiKey(ctx, olivia)));
    const apiKeys = answers.map(({ apiKey }) => apiKey);
    expect(await working(olivia, [olivia.apiKey, ...apiKeys])).toHaveLength(1);
    expect((await getApiKeys(ctx, olivia)).keys).toHaveLength(1);
  });
});

describe('one more key', () => {
  test('works beside the others, under its name', async () => {
    const { apiKey } = await addOwnApiKey(ctx, olivia, { label: ' terminal ' });
    expect(await working(olivia, [olivia.apiKey, apiKey])).toHaveLength(2);
    expect((await getApiKeys(ctx, olivia)).keys.at(-1)).toMatchObject({ label: 'terminal' });
  });

  test('is not for bots, nor the 101st, nor without a printable name', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    await expect(addOwnApiKey(ctx, bot, { label: '' })).rejects.toThrow('Bots have one key.');
    await expect(addOwnApiKey(ctx, olivia, { label: 'a\u0000' })).rejects.toThrow('all printable');
    await expect(addOwnApiKey(ctx, olivia, { label: 'a'.repeat(101) })).rejects.toThrow('at most 100 characters');
    const { keys } = await getApiKeys(ctx, olivia);
    for (let count = keys.length; count < 100; count += 1) await addOwnApiKey(ctx, olivia, { label: '' });
    await expect(addOwnApiKey(ctx, olivia, { label: '' })).rejects.toThrow('You have 100 keys and sessions.');
  });
});

describe('single keys', () => {
  test('are listed without the keys themselves', async () => {
    ctx.clock.advance(5_000);
    await issue(olivia, 'phone');
    const { keys } = await getApiKeys(ctx, olivia);
    const now = ctx.clock.now();
    expect(keys).toEqual([
      { id: expect.any(Number), label: '', createdAtMs: now - 5_000 },
      { id: expect.any(Number), label: 'phone', createdAtMs: now },
    ]);
  });

  test('end one by one', async () => {
    const phone = await issue(olivia, 'phone');
    const keyId = (await getApiKeys(ctx, olivia)).keys.find(({ label }) => label === 'phone')?.id as number;
    await revokeApiKey(ctx, olivia, { keyId });
    expect(await working(olivia, [olivia.apiKey, phone])).toEqual([olivia.apiKey]);
    expect(await payloadsOf(ctx, olivia, 'api-key.revoked')).toEqual([{ userId: olivia.userId, keyIds: [keyId] }]);
    await expect(revokeApiKey(ctx, olivia, { keyId })).rejects.toMatchObject({
      name: 'NothingToDoError',
      message: 'No such API key',
    });
  });

  test('are ended by their holder only', async () => {
    const [iago, stranger] = [await newUser(ctx, olivia), await newOrganization(ctx)];
    const keyId = (await getApiKeys(ctx, olivia)).keys[0]?.id as number;
    for (const caller of [iago, stranger]) {
      await expect(revokeApiKey(ctx, caller, { keyId })).rejects.toThrow('No such API key');
    }
    await expect(revokeApiKey(ctx, olivia, { keyId: 0 })).rejects.toThrow('No such API key');
    expect(await working(olivia, [olivia.apiKey])).toEqual([olivia.apiKey]);
  });
});
