import {
  deactivateUser,
  getRealmPresence,
  reactivateUser,
  updateOwnStatus,
  updatePresence,
} from '@parley/gateway/endpoints';
import { PRESENCE } from '@parley/shared/values';
import { TestNetwork } from '../../src';
import { createHttpClient, type HttpClient } from '../../src/network/http-client';
import { EXTERNAL_HOST } from '../../src/network/plan';

let network: TestNetwork;
let gateways: HttpClient[];
beforeAll(async () => {
  network = await TestNetwork.create({ replicas: { gateway: 2 } });
  gateways = network.gatewayAddresses.map(createHttpClient);
});
afterAll(async () => {
  for (const gateway of gateways) gateway.close();
  await network.stop();
});

type Presences = Record<string, { website: { timestamp: number } }>;

/** What each gateway answers; they keep what they know. */
async function lists(): Promise<Presences[]> {
  const { email, apiKey } = network.iris;
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
  const request = {
    method: 'GET',
    path: `/api/v1${getRealmPresence.path}`,
    headers: { host: EXTERNAL_HOST, authorization },
  };
  const answers = await Promise.all(gateways.map((gateway) => gateway.send(request)));
  return answers.map(({ text }) => JSON.parse(text).presences as Presences);
}

test('every gateway lists who is there now, whichever one was told', async () => {
  const { dan, eve, iris } = network;
  const shown = async () => {
    const [first, second] = await lists();
    expect(second).toEqual(first);
    const isOnline = (timestamp: number) => Date.now() / 1000 - timestamp < PRESENCE.offlineThresholdSecs;
    return Object.entries(first ?? {}).map(([email, { website }]) => [email, isOnline(website.timestamp)]);
  };
  const expectShown = async (expected: Record<string, boolean>) =>
    expect(Object.fromEntries(await shown())).toEqual(expected);
  await expectShown({});
  await dan.call(updatePresence, { status: 'active', ping_only: true });
  await expectShown({ [dan.email]: true });
  await eve.call(updatePresence, { status: 'active', ping_only: true });
  await dan.call(updateOwnStatus, { away: true });
  await expectShown({ [dan.email]: false, [eve.email]: true });
  await iris.call(deactivateUser, { user_id: eve.userId });
  await expectShown({ [dan.email]: false });
  await dan.call(updateOwnStatus, { away: false });
  await iris.call(reactivateUser, { user_id: eve.userId });
  await expectShown({ [dan.email]: true, [eve.email]: true });
});
