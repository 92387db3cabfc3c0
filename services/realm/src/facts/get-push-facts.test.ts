import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newUser, type Person } from '../../test/examples';
import { getApiKeys, regenerateApiKey } from '../api-keys/api-keys';
import { deactivateRealm } from '../organization/deactivate-realm';
import { updateRealm } from '../realms/update-realm';
import { deactivateUser } from '../users/deactivate-user';
import { updateUserSettings } from '../users/update-user-settings';
import { pushFactsReader } from './get-push-facts';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

async function keyOf(person: Person): Promise<number> {
  const { keys } = await getApiKeys(ctx, person);
  return keys[0]?.id as number;
}

const ask = async ({ realmId, userId }: Person, apiKeyId: number) =>
  (await pushFactsReader(ctx)({ realmId, userId, apiKeyId })).facts;

test('the settings of a person and of their organization', async () => {
  const apiKeyId = await keyOf(olivia);
  const usual = { realmName: 'Example', subdomain: olivia.subdomain, language: 'en' };
  expect(await ask(olivia, apiKeyId)).toEqual({ ...usual, showsDirectContent: true, requiresEncryption: false });
  const settings = [
    { name: 'default_language', text: 'de' },
    { name: 'pm_content_in_desktop_notifications', boolean: false },
  ];
  await updateUserSettings(ctx, olivia, { settings });
  await updateRealm(ctx, olivia, {
    settings: JSON.stringify({ require_e2ee_push_notifications: true }),
    groupSettings: {},
  });
  expect(await ask(olivia, apiKeyId)).toEqual({
    ...usual,
    ...{ language: 'de', showsDirectContent: false, requiresEncryption: true },
  });
});

test('several devices at once, each with its own', async () => {
  const iago = await newUser(ctx, olivia);
  await updateUserSettings(ctx, iago, { settings: [{ name: 'default_language', text: 'de' }] });
  const [ofOlivia, ofIago] = [await keyOf(olivia), await keyOf(iago)];
  const read = pushFactsReader(ctx);
  const asked: [Person, number][] = [
    [iago, ofIago],
    [iago, ofOlivia],
    [olivia, ofOlivia],
  ];
  const before = ctx.db.statementCount;
  const answers = await Promise.all(
    asked.map(([{ realmId, userId }, apiKeyId]) => read({ realmId, userId, apiKeyId })),
  );
  expect(answers.map(({ facts }) => facts?.language)).toEqual(['de', undefined, 'en']);
  expect(ctx.db.statementCount - before).toBe(1);
});

describe('nothing', () => {
  test('for a key that has ended, or is another person’s', async () => {
    const iago = await newUser(ctx, olivia);
    const apiKeyId = await keyOf(olivia);
    expect(await ask(iago, apiKeyId)).toBeUndefined();
    await regenerateApiKey(ctx, olivia);
    expect(await ask(olivia, apiKeyId)).toBeUndefined();
  });

  test('for an account that is deactivated', async () => {
    const iago = await newUser(ctx, olivia);
    const apiKeyId = await keyOf(iago);
    expect(await ask(iago, apiKeyId)).toBeDefined();
    await deactivateUser(ctx, olivia, { userId: iago.userId });
    expect(await ask(iago, apiKeyId)).toBeUndefined();
  });

  test('in an organization that is closed', async () => {
    const apiKeyId = await keyOf(olivia);
    await deactivateRealm(ctx, olivia, {});
    expect(await ask(olivia, apiKeyId)).toBeUndefined();
  });
});
