import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newUser } from '../../test/examples';
import { getBotSigningSecret } from './outgoing-webhooks';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

test('only the owner of an outgoing webhook bot gets its signing secret', async () => {
  const iago = await newUser(ctx, olivia);
  const service = { payloadUrl: 'https://bots.example.com/', interface: 1 };
  const bot = await newUser(ctx, olivia, { botType: 3, botOwnerEmail: iago.email, ...service });
  const other = await newUser(ctx, olivia, { botType: 3, botOwnerEmail: iago.email, ...service });
  const secretOf = async (botId: number) => (await getBotSigningSecret(ctx, iago, { botId })).signingSecret;
  expect(await secretOf(bot.userId)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await secretOf(other.userId)).not.toBe(await secretOf(bot.userId));
  for (const caller of [olivia, await newUser(ctx, olivia), bot]) {
    await expect(getBotSigningSecret(ctx, caller, { botId: bot.userId })).rejects.toThrow('Insufficient permission');
  }
  const generic = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
  await expect(secretOf(generic.userId)).rejects.toThrow('This bot has no outgoing webhook');
  await expect(secretOf(0)).rejects.toThrow('No such bot');
});
