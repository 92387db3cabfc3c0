import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Endpoint, encodeRequest, endpoints, sendMessage } from '@parley/gateway/endpoints';
import { createFakeClock } from '@parley/shared/testing';
import { type TestClient, TestNetwork } from '../../src';
import { createHttpClient } from '../../src/network/http-client';
import { createTestClient, type RawRequest, toRawRequest } from '../../src/network/test-client';
import { multipart } from '../multipart';

// Gateways remember whose credentials were good. Each endpoint is asked by somebody whom all gateways remember, just after the credential ended.

const EXAMPLES = path.join(__dirname, '../../../../services/gateway/src/docs-page/examples.json');
const examples = JSON.parse(readFileSync(EXAMPLES, 'utf8')) as Record<string, { parameters: object; file?: string }>;

let network: TestNetwork;
/** The same owner, through each gateway. */
let clients: TestClient[];
const connections: ReturnType<typeof createHttpClient>[] = [];

beforeAll(async () => {
  // The clock stands still: periodic tasks change nothing.
  network = await TestNetwork.create({ clock: createFakeClock(), replicas: { gateway: 2, realm: 2, messages: 2 } });
  const { iris } = network;
  for (const address of network.gatewayAddresses) connections.push(createHttpClient(address));
  clients = connections.map((http) => createTestClient(iris, 'parley.test', http));
  await iris.call(sendMessage, { type: 'channel', to: 'general', topic: 'lunch', content: 'Soup?' });
});
afterAll(async () => {
  for (const http of connections) http.close();
  await network.stop();
});

const asked = endpoints.filter(({ auth }) => auth === 'user');

function exampleOf(endpoint: Endpoint): RawRequest {
  const { parameters, file } = examples[`${endpoint.method} ${endpoint.path}`] as { parameters: object; file?: string };
  const request = toRawRequest(encodeRequest(endpoint, parameters as never));
  return file === undefined ? request : { ...request, ...multipart({ name: file, bytes: 'x' }) };
}

/** Every row of all databases, by table, except those that the test's own statements change by triggers. */
async function rowsOfAll(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const service of ['realm', 'messages', 'invites', 'scheduler'] as const) {
    const database = network.database(service);
    const tables = await database.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables.filter((table) => table.name !== 'list_change')) {
      const [row] = await database.query<{ rows: string }>(
        `select md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as rows from ${name} t`,
      );
      found[`${service}.${name}`] = row?.rows as string;
    }
  }
  return found;
}

/** The answers of each endpoint through each gateway, after `end`; `restore` then makes the credential valid again. */
async function answersAfter(end: string, restore: string): Promise<Record<string, unknown[]>> {
  const { userId } = network.iris;
  const answers: Record<string, unknown[]> = {};
  for (const endpoint of asked) {
    for (const client of clients) {
      expect(await client.callRaw({ method: 'GET', path: '/api/v1/users/me' })).toMatchObject({ status: 200 });
    }
    await network.database('realm').query(end, [userId]);
    const given = await Promise.all(clients.map((client) => client.callRaw(exampleOf(endpoint))));
    await network.database('realm').query(restore, [userId]);
    answers[`${endpoint.method} ${endpoint.path}`] = given.map(({ status, json }) => `${status} ${json['code']}`);
  }
  return answers;
}

test.each([
  [
    'key is revoked',
    '401 UNAUTHORIZED',
    'update api_key set revoked_at = now() where user_id = $1',
    'update api_key set revoked_at = null where user_id = $1',
  ],
  [
    'account is deactivated',
    '401 USER_DEACTIVATED',
    'update user_account set is_active = false where id = $1',
    'update user_account set is_active = true where id = $1',
  ],
])(
  'no endpoint does anything for a caller whose %s, through any gateway',
  async (_case, refusal, end, restore) => {
    await network.settle();
    const before = await rowsOfAll();
    const answers = await answersAfter(end, restore);
    expect(answers).toEqual(
      Object.fromEntries(asked.map(({ method, path: at }) => [`${method} ${at}`, [refusal, refusal]])),
    );
    await network.settle();
    expect(await rowsOfAll()).toEqual(before);
  },
  180_000,
);
