import { createHash } from 'node:crypto';
import { PublicError, UnauthorizedError } from '@parley/shared/errors';
import { recordingLogger, startGateway, type TestGateway } from '../gateway';

const TOKEN = 'parley_scim_x';
const BEARER = { Authorization: `Bearer ${TOKEN}`, Host: 'acme.chat.example' };
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
const ROOT = 'https://acme.chat.example/scim/v2';
const { log, lines } = recordingLogger();

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({}, { log });
});
afterAll(() => gateway.stop());

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const ask = (path: string, { headers = {}, ...rest }: Asked = {}, to = gateway) =>
  to.request({ path: `/scim/v2${path}`, as: false, headers: { ...BEARER, ...headers }, ...rest });
const resource = (document: object) => ({ id: '5', version: 'W/"v1"', document: JSON.stringify(document) });
const ANN = { id: '5', userName: 'ann', groups: [{ value: '9' }], meta: { resourceType: 'User' } };

describe('requests', () => {
  test('carry the organization and the hash of the token, and get addresses from the settings', async () => {
    gateway.realm.answers.getScimResource = async () => resource(ANN);
    const { status, headers, json } = await ask('/Users/5?attributes=userName,groups&excludedAttributes=');
    expect([status, headers['content-type'], headers['etag']]).toEqual([
      200,
      'application/scim+json; charset=utf-8',
      'W/"v1"',
    ]);
    expect(json).toEqual({
      ...{ id: '5', userName: 'ann', groups: [{ value: '9', $ref: `${ROOT}/Groups/9` }] },
      meta: { resourceType: 'User', location: `${ROOT}/Users/5`, version: 'W/"v1"' },
    });
    expect(gateway.realm.last('getScimResource')).toMatchObject({
      access: { subdomain: 'acme', tokenHash: createHash('sha256').update(TOKEN).digest() },
      ...{ kind: 'User', id: '5', selection: { attributes: ['userName', 'groups'], excluded: [] } },
    });
  });

  test('that know the version of a resource are answered without it', async () => {
    gateway.realm.answers.getScimResource = async () => resource(ANN);
    const known = await ask('/Users/5', { headers: { 'If-None-Match': 'W/"v0", W/"v1"' } });
    expect([known.status, known.text]).toEqual([304, '']);
    expect((await ask('/Users/5', { headers: { 'If-None-Match': 'W/"v0"' } })).status).toBe(200);
  });

  test('list by filter and page', async () => {
    gateway.realm.answers.listScimResources = async () => ({ total: 7, resources: [resource(ANN)] });
    const filter = 'userName eq "ann" and active eq true';
    const { json } = await ask(`/Users?filter=${encodeURIComponent(filter)}&startIndex=0&count=3`);
    expect(json).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      ...{ totalResults: 7, startIndex: 1, itemsPerPage: 1, Resources: [{ id: '5' }] },
    });
    expect(gateway.realm.last('listScimResources')).toMatchObject({ filter, startIndex: 1, count: 3 });
    await ask('/Groups');
    const plain = gateway.realm.last<{ filter?: string }>('listScimResources');
    expect(plain).toMatchObject({ kind: 'Group', startIndex: 1, count: 100 });
    expect(plain.filter).toBeUndefined();
  });

  test('search with a body', async () => {
    gateway.realm.answers.listScimResources = async () => ({ total: 1, resources: [resource(ANN)] });
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'];
    const body = JSON.stringify({ schemas, filter: 'active eq true', count: 2, attributes: ['userName'] });
    expect((await ask('/Users/.search', { method: 'POST', body })).json).toMatchObject({ totalResults: 1 });
    const selection = { attributes: ['userName'], excluded: [] };
    const asked = { filter: 'active eq true', startIndex: 1, count: 2, selection };
    expect(gateway.realm.last('listScimResources')).toMatchObject(asked);
    const otherwise = { Schemas: schemas, StartIndex: 3, COUNT: 1, excludedattributes: ['emails'] };
    await ask('/Users/.search', { method: 'POST', body: JSON.stringify(otherwise) });
    const page = { startIndex: 3, count: 1, selection: { attributes: [], excluded: ['emails'] } };
    expect(gateway.realm.last('listScimResources')).toMatchObject(page);
  });

  test('create, replace, change and delete', async () => {
    const { answers } = gateway.realm;
    answers.createScimResource = async () => resource(ANN);
    answers.replaceScimResource = async () => resource(ANN);
    answers.patchScimResource = async (_call, { kind }) =>
      kind === 'User' ? resource(ANN) : { id: '', version: '', document: '' };
    answers.removeScimResource = async () => ({});
    const body = '{"userName":"ann"}';
    const headers = { 'Content-Type': 'application/scim+json; charset=utf-8', 'If-Match': 'W/"a", W/"b"' };
    const made = await ask('/Users', { method: 'POST', body, headers });
    expect([made.status, made.headers['location']]).toEqual([201, `${ROOT}/Users/5`]);
    expect((await ask('/Users/5', { method: 'PUT', body, headers })).status).toBe(200);
    expect((await ask('/Users/5', { method: 'PATCH', body, headers })).json).toMatchObject({ userName: 'ann' });
    expect(await ask('/Groups/5', { method: 'PATCH', body })).toMatchObject({ status: 204, text: '' });
    expect(await ask('/Users/5', { method: 'DELETE', headers })).toMatchObject({ status: 204, text: '' });
    expect(gateway.realm.last('createScimResource')).toMatchObject({ kind: 'User', document: body });
    expect(gateway.realm.last('replaceScimResource')).toMatchObject({ document: body, versions: ['W/"a"', 'W/"b"'] });
    expect(gateway.realm.last('patchScimResource')).toMatchObject({ kind: 'Group', id: '5', versions: [] });
    expect(gateway.realm.last('removeScimResource')).toMatchObject({ id: '5', versions: ['W/"a"', 'W/"b"'] });
  });
});

describe('errors are SCIM’s', () => {
  const error = (status: number, detail: string, scimType?: string) => ({
    schemas: [ERROR],
    ...{ status: String(status), detail },
    ...(scimType !== undefined && { scimType }),
  });

  test('with the type that realm gives, and the reason to ask again later', async () => {
    gateway.realm.answers.createScimResource = async () => {
      throw new PublicError('SCIM_ERROR', 409, 'There is one', { scimType: 'uniqueness' });
    };
    const taken = await ask('/Users', { method: 'POST', body: '{}' });
    expect([taken.status, taken.json]).toEqual([409, error(409, 'There is one', 'uniqueness')]);
    expect(taken.headers['content-type']).toMatch('application/scim+json');
  });

  test('for tokens that are missing or wrong', async () => {
    gateway.realm.answers.listScimResources = async () => {
      throw new UnauthorizedError('Invalid bearer token');
    };
    for (const authorization of ['', 'Basic eDp5', 'Bearer', 'Bearer a b', `Bearer ${'x'.repeat(201)}`]) {
      const { status, json, headers } = await ask('/Users', { headers: { Authorization: authorization } });
      expect([status, json]).toEqual([401, error(401, 'A bearer token is required')]);
      expect(headers['www-authenticate']).toBe('Bearer realm="parley"');
    }
    expect((await ask('/Users')).json).toEqual(error(401, 'Invalid bearer token'));
  });

  test('without details when something is broken; that is in the log', async () => {
    gateway.realm.answers.listScimResources = async () => ({
      total: 1,
      resources: [{ ...resource({}), document: '{' }],
    });
    expect((await ask('/Users')).json).toEqual(error(500, 'Internal server error'));
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([{ message: 'request failed' }]);
  });

  test.each([
    ['/Nothing', {}, 404],
    ['/.search', { method: 'POST', body: '{}' }, 501],
    ['/Users/.search', { method: 'POST', body: '{' }, 400],
    ['/Users/.search', { method: 'POST', body: '{"count":1}' }, 400],
    ['/Users/.search', {}, 405],
    ['/toString', {}, 404],
    ['/Me', {}, 501],
    ['', {}, 404],
    ['/Users', { method: 'PUT', body: '{}' }, 405],
    ['/Users/5', { method: 'POST', body: '{}' }, 405],
    ['/Schemas', { method: 'POST', body: '{}' }, 405],
    ['/Schemas?filter=id%20pr', {}, 403],
    ['/Users?count=many', {}, 400],
    [`/Users?attributes=${'a,'.repeat(51)}`, {}, 400],
    ['/Users/5', { method: 'DELETE', headers: { 'If-Match': 'W/"a",'.repeat(21) } }, 400],
    ['/Users', { method: 'POST', body: 'a=b', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 415],
    ['/Users', { method: 'POST', body: Buffer.from([0x22, 0xff, 0x22]) }, 400],
    ['/Users', { method: 'POST', body: 'x'.repeat(2 * 1024 * 1024 + 1) }, 413],
  ] as [string, Asked, number][])('%s', async (path, asked, expected) => {
    const { status, json, headers } = await ask(path, asked);
    expect([status, json.status, json.schemas]).toEqual([expected, String(expected), [ERROR]]);
    expect(headers['content-type']).toMatch('application/scim+json');
  });
});

describe('discovery', () => {
  test('lists the two kinds of resources and their schemas, each at its address', async () => {
    for (const endpoint of ['/ResourceTypes', '/Schemas']) {
      const { json } = await ask(endpoint);
      expect(json).toMatchObject({ totalResults: 2, itemsPerPage: 2 });
      for (const document of json.Resources) {
        expect(document.meta.location).toBe(`${ROOT}${endpoint}/${document.id}`);
        expect((await ask(`${endpoint}/${document.id}`)).json).toEqual(document);
      }
    }
    expect((await ask('/Schemas/urn:other')).status).toBe(404);
  });

  test('says what is supported and what is not', async () => {
    const { json } = await ask('/ServiceProviderConfig', { headers: { Authorization: '' } });
    expect(json).toMatchObject({
      patch: { supported: true },
      etag: { supported: true },
      filter: { supported: true, maxResults: 200 },
      ...Object.fromEntries(['bulk', 'sort', 'changePassword'].map((name) => [name, { supported: false }])),
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    });
    expect((await ask('/Users', { method: 'OPTIONS' })).headers['allow']).toBe('GET, POST');
  });
});

test('requests are limited by address, and wrong tokens more', async () => {
  const limited = await startGateway({
    RATE_LIMITS: true,
    SCIM_REQUESTS_PER_MINUTE: 5,
    ADDRESS_REQUESTS_PER_MINUTE: 2,
  });
  limited.realm.answers.listScimResources = async (_call, { access }) => {
    const isRight = createHash('sha256')
      .update(TOKEN)
      .digest()
      .equals(access?.tokenHash as Buffer);
    if (!isRight) throw new UnauthorizedError('Invalid bearer token');
    return { total: 0, resources: [] };
  };
  const statusOf = async (token: string) =>
    (await ask('/Users', { headers: { Authorization: `Bearer ${token}` } }, limited)).status;
  expect([await statusOf('wrong'), await statusOf('wrong'), await statusOf('wrong')]).toEqual([401, 401, 429]);
  // Not even a right one is tried, as it might be guessed.
  expect(await statusOf(TOKEN)).toBe(429);
  const asked = limited.realm.seen.filter(({ method }) => method === 'listScimResources');
  expect(asked).toHaveLength(2);
  await limited.stop();
});
