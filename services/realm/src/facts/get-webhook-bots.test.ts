import type { WebhookBot } from '@parley/shared/proto';
import { asCaller, idOf, makeBot } from '../../test/bots';
import {
  channelIds,
  join,
  newOrganization,
  newUser,
  openContext,
  type Person,
  type TestContext,
} from '../../test/examples';
import { deactivateBot } from '../bots/bots';
import { getWebhookBots, getWebhookSecret } from './outgoing-webhooks';

let ctx: TestContext;
let olivia: Person;
let iago: Person;

beforeAll(async () => {
  ctx = await openContext();
  olivia = await newOrganization(ctx);
  iago = await newUser(ctx, olivia);
});
afterAll(() => ctx.close());

const HOOK = { botType: 3, payloadUrl: 'https://example.com/hook', interface: 2 };

async function called(over: Partial<Parameters<typeof getWebhookBots>[1]>): Promise<WebhookBot[]> {
  const request = { realmId: olivia.realmId, namedIds: [], groupMemberIds: [], ...over };
  return (await getWebhookBots(ctx, request)).bots;
}

const idsOf = (bots: WebhookBot[]) => bots.map(({ bot }) => bot?.id);

test('outgoing webhook bots are found among users, with address and format', async () => {
  const [hook, generic] = [await makeBot(ctx, iago, HOOK), await makeBot(ctx, iago)];
  const [bot, ...others] = await called({ namedIds: [iago.userId, idOf(hook), idOf(generic)] });
  expect(others).toEqual([]);
  expect(bot).toEqual({
    bot: expect.objectContaining({ id: idOf(hook), botOwnerId: iago.userId }),
    webhook: { payloadUrl: HOOK.payloadUrl, interface: 2, token: hook.bot?.webhook?.token },
    isOwnerActive: true,
    signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
  const elsewhere = await newOrganization(ctx);
  expect(await called({ realmId: elsewhere.realmId, namedIds: [idOf(hook)] })).toEqual([]);
});

test('members of a group are called where they are subscribed', async () => {
  const [inside, outside] = [await makeBot(ctx, iago, HOOK), await makeBot(ctx, iago, HOOK)];
  await join(ctx, asCaller(iago, inside), ['lobby']);
  const { lobby: channelId } = await channelIds(ctx, olivia);
  const groupMemberIds = [idOf(inside), idOf(outside)];
  expect(idsOf(await called({ groupMemberIds, channelId: channelId as number }))).toEqual([idOf(inside)]);
  expect(idsOf(await called({ groupMemberIds, namedIds: [idOf(outside)] }))).toEqual([idOf(outside)]);
});

test('deactivated bots are not called', async () => {
  const [gone, kept] = [await makeBot(ctx, iago, HOOK), await makeBot(ctx, olivia, HOOK)];
  await deactivateBot(ctx, iago, { botId: idOf(gone) });
  expect(idsOf(await called({ namedIds: [idOf(gone), idOf(kept)] }))).toEqual([idOf(kept)]);
});

test('the secret is that of one bot, and shown to the operator', async () => {
  const [first, second] = [await makeBot(ctx, iago, HOOK), await makeBot(ctx, iago, HOOK)];
  const [one, other] = await called({ namedIds: [idOf(first), idOf(second)] });
  expect(one?.signingSecret).not.toBe(other?.signingSecret);
  const ask = (botEmail: string) => getWebhookSecret(ctx, { subdomain: olivia.subdomain, botEmail });
  expect(await ask(first.bot?.user?.email ?? '')).toEqual({ botId: idOf(first), signingSecret: one?.signingSecret });
  await expect(ask(iago.email)).rejects.toThrow('No such outgoing webhook bot');
});
