import { getMessages, getOwnUser } from '@parley/gateway/endpoints';
import { createFakeClock } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { createHttpClient, type HttpClient } from '../../src/network/http-client';
import { EXTERNAL_HOST } from '../../src/network/plan';

/** Enough for the gateways to exchange counts while a client sends without a pause. */
const LIMIT = 3_000;
const MANY = 400;
/** Searches have an additional bucket. */
const SEARCH_LIMIT = 8;
const SEARCHES = 6;

let network: TestNetwork;
let gateways: HttpClient[];
beforeAll(async () => {
  network = await TestNetwork.create({
    // It stands still: nothing fills again.
    clock: createFakeClock(),
    replicas: { gateway: 2 },
    settings: {
      RATE_LIMITS: 'on',
      ACCOUNT_REQUESTS_PER_MINUTE: String(LIMIT),
      SEARCHES_PER_MINUTE: String(SEARCH_LIMIT),
    },
  });
  gateways = network.gatewayAddresses.map(createHttpClient);
});
afterAll(async () => {
  for (const gateway of gateways) gateway.close();
  await network.stop();
});

/** Asks once at a gateway; answers what is left. */
async function ask(gateway: HttpClient, { method, path } = { method: getOwnUser.method, path: getOwnUser.path }) {
  const { email, apiKey } = network.dan;
  const { status, headers } = await gateway.send({
    method,
    path: `/api/v1${path}`,
    headers: { host: EXTERNAL_HOST, authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}` },
  });
  expect(status).toBe(200);
  return Number(headers['x-ratelimit-remaining']);
}

function search(gateway: HttpClient) {
  const narrow = encodeURIComponent(JSON.stringify([{ operator: 'search', operand: 'soup' }]));
  const query = `anchor=newest&num_before=1&num_after=0&narrow=${narrow}`;
  return ask(gateway, { method: getMessages.method, path: `${getMessages.path}?${query}` });
}

test('requests of an account to all gateways count together', async () => {
  const [one, other] = gateways as [HttpClient, HttpClient];
  for (let n = 0; n < SEARCHES; n += 1) await search(one);
  for (let n = SEARCHES; n < MANY; n += 1) await ask(one);
  let own = 0;
  let left = LIMIT;
  while (left !== LIMIT - MANY - own) {
    left = await ask(other);
    own += 1;
    expect(left).toBeGreaterThanOrEqual(LIMIT - MANY - own);
  }
  // Counts sent together arrive together.
  expect(await search(other)).toBe(SEARCH_LIMIT - SEARCHES - 1);
});
