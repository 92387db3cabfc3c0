import { BadRequestError, PublicError, ServiceUnavailableError } from '@parley/shared/errors';
import { until } from '@parley/shared/testing';
import { z } from 'zod';
import { MAX_BODY_BYTES, MAX_PARAMETERS } from '../../src/http/bounds';
import { endpoint } from '../../src/http/endpoint';
import { json, text } from '../../src/http/parameters';
import { basic, formBody, IAGO, recordingLogger, startGateway, type TestGateway } from '../gateway';

const echo = endpoint({
  method: 'POST',
  path: '/test/echo',
  summary: 'Answers what it got',
  auth: 'user',
  parameters: { text: text(z.string().default('')), list: json(z.array(z.int()).default([])) },
  result: z.strictObject({ text: z.string(), list: z.array(z.int()), client: z.string() }),
  errors: ['MY_CODE'],
  async handler(_ctx, { clientName }, values) {
    if (values.text === 'panic') throw new Error('secret detail');
    if (values.text === 'undeclared') throw new PublicError('ANOTHER_CODE', 400, 'secret text');
    if (values.text === 'declared') throw new PublicError('MY_CODE', 409, 'my text', { extra: [1] });
    if (values.text === 'away') throw new ServiceUnavailableError();
    if (values.text === 'bad') throw new BadRequestError('bad text');
    const surplus = values.text === 'surplus' ? { secret: 1 } : {};
    return { text: values.text, list: values.list, client: clientName, ...surplus };
  },
});

const { log, lines } = recordingLogger();
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({}, { endpoints: [echo], log });
});
afterAll(() => gateway.stop());

const PATH = '/api/v1/test/echo';
const post = (options: { path?: string; headers?: Record<string, string>; body?: string | Buffer }) =>
  gateway.request({ method: 'POST', path: PATH, ...options });

const multipart = (body: string) => ({
  headers: { 'Content-Type': 'multipart/form-data; boundary=B' },
  body: body.replaceAll('\n', '\r\n'),
});
const field = (name: string, value: string) => `--B\nContent-Disposition: form-data; name="${name}"\n\n${value}\n`;

describe('parameters are taken', () => {
  test.each([
    ['from the query', { path: `${PATH}?text=a%20b&list=%5B1%5D` }],
    ['from a form', formBody({ text: 'a b', list: '[1]' })],
    ['from a form in parts', multipart(`${field('text', 'a b')}${field('list', '[1]')}--B--\n`)],
    ['from query and form together', { path: `${PATH}?text=a+b`, ...formBody({ list: '[1]' }) }],
    ['from the form where both have it', { path: `${PATH}?text=no&list=x`, ...formBody({ text: 'a b', list: '[1]' }) }],
    ['the last of several', { path: `${PATH}?text=no&text=a+b&list=%5B1%5D` }],
    [
      'with any charset, which is UTF-8',
      { body: 'text=a b&list=[1]', headers: { 'Content-Type': 'Application/X-WWW-Form-URLEncoded; charset=martian' } },
    ],
    [
      'beside a file, which is none',
      multipart(
        `${field('text', 'a b')}${field('list', '[1]')}--B\n` +
          'Content-Disposition: form-data; name="avatar"; filename="a.png"\nContent-Type: image/png\n\nPNG\n--B--\n',
      ),
    ],
  ])('%s', async (_case, options) => {
    const answer = await post(options);
    expect(answer.json).toEqual({ result: 'success', msg: '', text: 'a b', list: [1], client: 'Unspecified' });
  });

  test('on a method that has no body in other APIs', async () => {
    const form = formBody({ queue_id: 'q9' });
    const answer = await gateway.request({ method: 'DELETE', path: '/api/v1/events', ...form });
    expect(answer.json).toEqual({ result: 'success', msg: '' });
    expect(gateway.events.last('deleteQueue')).toEqual({ queueId: 'q9' });
  });

  test('from the query, beside an empty body of any type', async () => {
    const path = `${PATH}?text=a`;
    const answer = await post({ path, headers: { 'Content-Type': 'application/json' }, body: '' });
    expect(answer.json).toMatchObject({ result: 'success', text: 'a' });
    const chunked = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    expect((await post({ path, headers: chunked })).json).toMatchObject({ result: 'success', text: 'a' });
  });

  test('client names the client, before the User-Agent', async () => {
    const headers = { 'User-Agent': 'AcmeMobile/1.0' };
    expect((await post({ headers })).json.client).toBe('AcmeMobile');
    expect((await post({ headers, path: `${PATH}?client=Other` })).json).toEqual({
      result: 'success',
      msg: '',
      text: '',
      list: [],
      client: 'Other',
    });
  });

  test('unknown ones are listed, sorted, in successes only', async () => {
    const path = `${PATH}?zeta=1&alpha=2`;
    expect((await post({ path })).json.ignored_parameters_unsupported).toEqual(['alpha', 'zeta']);
    expect((await post({ path: `${path}&text=bad` })).json).not.toHaveProperty('ignored_parameters_unsupported');
  });
});

describe('errors are answered in the envelope:', () => {
  const refused = (status: number, msg: unknown, extra = {}) => ({
    status,
    json: { result: 'error', code: 'BAD_REQUEST', msg, ...extra },
  });

  test.each([
    ['an unknown path of the API', 'GET', '/api/v1/nothing'],
    ['an unknown path elsewhere', 'GET', '/nothing'],
    ['a slash at the end', 'GET', '/api/v1/users/me/'],
    ['another casing', 'GET', '/api/v1/Users/me'],
    ['an id that is none', 'GET', '/api/v1/messages/abc'],
    ['a negative id', 'GET', '/api/v1/messages/-1'],
    ['an id beyond all ids', 'GET', '/api/v1/messages/99999999999999999999'],
    ['any method on an unknown path', 'POST', '/api/v1/nothing'],
  ])('%s', async (_case, method, path) => {
    expect(await gateway.request({ method, path })).toMatchObject(refused(404, 'Not Found'));
  });

  test('a path that cannot be decoded', async () => {
    expect(await gateway.request({ path: '/api/v1/messages/%ff' })).toMatchObject(refused(400, 'Malformed path'));
  });

  test.each([
    ['PATCH', '/api/v1/messages', ['GET', 'POST']],
    ['POST', '/api/v1/events', ['DELETE', 'GET']],
    ['PROPFIND', '/api/v1/register', ['POST']],
    ['POST', '/api/v1/openapi.json', ['GET']],
    ['POST', '/health/live', ['GET']],
  ])('%s on %s, which has %j', async (method, path, allowed) => {
    const answer = await gateway.request({ method, path });
    expect(answer).toMatchObject(refused(405, 'Method Not Allowed', { allowed_methods: allowed }));
    expect(answer.headers['allow']).toBe(allowed.join(', '));
  });

  test('a form that is too large', async () => {
    const body = `text=${'x'.repeat(MAX_BODY_BYTES)}`;
    const answer = await post({ ...formBody({}), body });
    expect(answer).toMatchObject(refused(413, `The request is too large (limit: ${MAX_BODY_BYTES} bytes)`));
  });

  test('a form that is too large, without having said so', async () => {
    const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
    const head = `POST ${PATH} HTTP/1.1\r\nAuthorization: ${basic(IAGO)}\r\nTransfer-Encoding: chunked\r\n`;
    const type = 'Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n\r\n';
    const text = await gateway.raw(`${head}${type}${chunk.repeat(20)}0\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1.1 413 .*"result":"error"/s);
  });

  test('a form that is too large, whose client goes away before it has come: its time limit ends with the connection', async () => {
    const limits = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = limits();
    const head = `POST ${PATH} HTTP/1.1\r\nAuthorization: ${basic(IAGO)}\r\nContent-Length: ${3 * MAX_BODY_BYTES}\r\n\r\n`;
    const text = await gateway.raw(head + 'x'.repeat(2 * MAX_BODY_BYTES), 'too large');
    expect(text).toMatch(/^HTTP\/1.1 413 /);
    await until(() => limits() <= before);
  }, 15_000);

  test.each([
    ['JSON', 'application/json; charset=utf-8', "Content-Type 'application/json' is not supported"],
    ['plain text', 'text/plain', "Content-Type 'text/plain' is not supported"],
    ['of no kind', '', 'Content-Type is missing'],
  ])('a body that is not a form: %s', async (_case, type, reason) => {
    const headers: Record<string, string> = type === '' ? {} : { 'Content-Type': type };
    const answer = await post({ path: `${PATH}?text=a`, headers, body: '{"text":"a"}' });
    const forms = 'application/x-www-form-urlencoded or multipart/form-data';
    expect(answer).toMatchObject(refused(415, `${reason}: send parameters as ${forms}`));
    const anonymous = await post({ headers, body: '{"text":"a"}', ...{ as: false } });
    expect(anonymous.status).toBe(401);
  });

  test('a compressed form', async () => {
    const { headers } = formBody({});
    const answer = await post({ headers: { ...headers, 'Content-Encoding': 'gzip' }, body: 'x' });
    expect(answer).toMatchObject(refused(415, "Content-Encoding 'gzip' is not supported"));
  });

  test.each([
    ['in the query', { path: `${PATH}?${'a=1&'.repeat(MAX_PARAMETERS)}b=1` }],
    ['in a form', { ...formBody({}), body: `${'a=1&'.repeat(MAX_PARAMETERS)}b=1` }],
    ['in a form in parts', multipart(`${field('a', '1').repeat(MAX_PARAMETERS + 1)}--B--\n`)],
  ])('too many parameters %s', async (_case, options) => {
    expect(await post(options)).toMatchObject(refused(400, `Too many parameters (limit: ${MAX_PARAMETERS})`));
  });

  test.each([
    ['without a boundary', { headers: { 'Content-Type': 'multipart/form-data' }, body: 'x' }],
    ['that breaks off', multipart(`${field('text', 'a')}--B\nContent-Disp`)],
    ['without its boundary in it', multipart('nothing of the kind')],
  ])('a form in parts %s', async (_case, options) => {
    expect(await post(options)).toMatchObject(refused(400, expect.stringMatching(/^Malformed form: /)));
  });

  test.each([
    ['an error with its fields', 'declared', 409, { code: 'MY_CODE', msg: 'my text', extra: [1] }],
    ['a service that is away', 'away', 503, { code: 'SERVER_NOT_READY' }],
    ['a generic refusal', 'bad', 400, { code: 'BAD_REQUEST', msg: 'bad text' }],
  ])('%s', async (_case, value, status, json) => {
    expect(await post(formBody({ text: value }))).toMatchObject({ status, json: { result: 'error', ...json } });
  });

  test.each([
    ['a bug', 'panic', 'secret detail'],
    ['an error that the declaration does not know', 'undeclared', 'POST /test/echo does not declare ANOTHER_CODE'],
    ['a result that the declaration does not know', 'surplus', 'secret'],
  ])('%s, with details in the log only', async (_case, value, logged) => {
    const { headers } = formBody({});
    const answer = await post({ body: `text=${value}`, headers: { ...headers, 'X-Request-Id': `bug-${value}` } });
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({ result: 'error', code: 'INTERNAL_SERVER_ERROR', msg: 'Internal server error' });
    const line = lines.find(({ level, requestId }) => level === 'error' && requestId === `bug-${value}`);
    expect(line).toMatchObject({ err: expect.objectContaining({ message: expect.stringContaining(logged) }) });
  });
});

describe('invalid requests are answered in the envelope, too:', () => {
  test.each([
    ['noise', 'hello\r\n\r\n', 400],
    ['a broken header', 'GET / HTTP/1.1\r\nno colon\r\n\r\n', 400],
    ['endless headers', `GET / HTTP/1.1\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`, 431],
    ['a wrong length', `POST ${PATH} HTTP/1.1\r\nContent-Length: many\r\n\r\n`, 400],
    ['a body that is broken', `POST ${PATH} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    ['an expectation nobody knows', `GET / HTTP/1.1\r\nExpect: miracles\r\n\r\n`, 417],
  ])('%s', async (_case, bytes, status) => {
    const text = await gateway.raw(bytes);
    expect(text).toMatch(
      new RegExp(`^HTTP/1.1 ${status} .*\r\n\r\n\\{"result":"error","msg":"[^"]+","code":"BAD_REQUEST"`, 's'),
    );
  });

  test('a request without a Host, or in absolute form, is valid', async () => {
    const end = 'Connection: close\r\n\r\n';
    expect(await gateway.raw(`GET /health/live HTTP/1.1\r\n${end}`)).toMatch(/^HTTP\/1.1 200/);
    expect(await gateway.raw(`GET http://chat.example/health/live HTTP/1.1\r\n${end}`)).toMatch(/^HTTP\/1.1 200/);
  });

  test('a body that never ends is logged, and the gateway goes on', async () => {
    const head = `POST ${PATH} HTTP/1.1\r\nAuthorization: ${basic(IAGO)}\r\nContent-Length: 100\r\n`;
    await gateway.raw(`${head}Expect: 100-continue\r\n\r\n`, '100 Continue');
    expect((await gateway.request({ path: '/health/live' })).status).toBe(200);
  });
});

describe('every answer', () => {
  test('has a request id: the client’s own if it is valid', async () => {
    const named = await post({ headers: { 'X-Request-Id': 'my-request.1' } });
    expect(named.headers['x-request-id']).toBe('my-request.1');
    for (const strange of ['a b', 'x'.repeat(65), '<script>']) {
      const renamed = await post({ headers: { 'X-Request-Id': strange } });
      expect(renamed.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('has a log line without credentials or parameters', async () => {
    lines.length = 0;
    await post({ path: `${PATH}?text=private`, headers: { 'X-Request-Id': 'logged' } });
    expect(lines).toEqual([
      expect.objectContaining({ method: 'POST', path: PATH, status: 200, requestId: 'logged', realmId: 2, userId: 11 }),
    ]);
    const written = JSON.stringify(lines);
    for (const secret of [IAGO.key, IAGO.email, basic(IAGO), 'private']) expect(written).not.toContain(secret);
  });

  test('goes on with its request id into every internal call', async () => {
    await gateway.request({ path: '/api/v1/users/me', headers: { 'X-Request-Id': 'traced' } });
    const calls = [...gateway.realm.seen, ...gateway.messages.seen].filter(({ call }) => call.requestId === 'traced');
    expect(calls.map(({ method }) => method).sort()).toEqual(['findNewestReceived', 'getOwnAccount']);
  });

  test.each([
    ['a success', { path: '/api/v1/users/me' }, 200],
    ['an error', { path: '/api/v1/users/me', as: false as const }, 401],
    ['an unknown path', { path: '/api/v1/nothing' }, 404],
    ['a wrong method', { path: '/api/v1/users/me', method: 'PUT' }, 405],
    ['a hot path', { path: '/api/v1/messages?anchor=newest' }, 200],
  ])('may be read by any page, and is not cached: %s', async (_case, options, status) => {
    const answer = await gateway.request(options);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'Authorization',
      'access-control-allow-methods': 'GET, POST, DELETE, PUT, PATCH, HEAD',
      'cache-control': expect.stringContaining('no-store'),
      'content-type': 'application/json',
      vary: 'Authorization',
    });
  });

  test('about events lists the methods of events', async () => {
    const answer = await gateway.request({ path: '/api/v1/events?queue_id=x', as: false });
    expect(answer.headers['access-control-allow-methods']).toBe('OPTIONS, GET, DELETE');
  });
});

describe('methods that every path has', () => {
  test('OPTIONS lists the other methods', async () => {
    const answer = await gateway.request({ method: 'OPTIONS', path: '/api/v1/messages', as: false });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(answer.headers).toMatchObject({ allow: 'GET, POST', 'access-control-allow-origin': '*' });
  });

  test.each(['/api/v1/messages', '/api/v1/users/me', '/api/v1/tus/', '/api/v1/events'])(
    'OPTIONS of %s lets scripts of other origins send what clients send',
    async (path) => {
      const { headers } = await gateway.request({ method: 'OPTIONS', path, as: false });
      const allowed = headers['access-control-allow-headers']?.split(', ');
      expect(allowed).toEqual(expect.arrayContaining(['Authorization', 'Content-Type', 'Idempotency-Key']));
      expect(allowed).toEqual(
        expect.arrayContaining(['Tus-Resumable', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset']),
      );
      expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-max-age': '7200' });
      expect(headers['access-control-allow-methods']).toContain('DELETE');
    },
  );

  test('scripts of other origins may read the headers that clients need', async () => {
    const { headers } = await gateway.request({ path: '/api/v1/users/me' });
    const exposed = headers['access-control-expose-headers']?.split(', ');
    const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'];
    expect(exposed).toEqual(expect.arrayContaining(['X-Request-Id', 'Location', ...limits]));
  });

  test('HEAD is GET without the body', async () => {
    const path = '/api/v1/messages?anchor=newest';
    const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => gateway.request({ method, path })));
    expect(head?.text).toBe('');
    expect(head?.status).toBe(200);
    expect(head?.headers['content-length']).toBe(get?.headers['content-length']);
    expect((await gateway.request({ method: 'HEAD', path: '/api/v1/register' })).status).toBe(405);
  });
});
