import { createHash } from 'node:crypto';
import { BadRequestError } from '@parley/shared/errors';
import { confirmEmailChange } from '../../src/endpoints/settings';
import { startGateway, type TestGateway } from '../gateway';

const PATH = '/accounts/confirm_new_email/abc';
const CHANGE = { organizationName: 'A <b>& B', newEmail: "o'hara@acme.example", language: 'en' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => {
  gateway.realm.seen.length = 0;
  gateway.realm.answers.findEmailChange = async () => CHANGE;
  gateway.realm.answers.confirmEmailChange = async () => CHANGE;
});
afterAll(() => gateway.stop());

const open = (method: string, path = PATH) =>
  gateway.request({ method, path, as: false, headers: { Host: 'acme.chat.example' } });
const asked = () => gateway.realm.seen.map(({ method, request }) => [method, request]);
const use = { subdomain: 'acme', key: 'abc' };

test('only the button on the page confirms', async () => {
  const page = await open('GET');
  expect(asked()).toEqual([['findEmailChange', use]]);
  expect(page.text).toContain('<h1>Is this your new email address?</h1>');
  expect(page.text).toContain('<form method="post"><button type="submit">Confirm the new address</button></form>');
  const done = await open('POST');
  expect(asked().slice(1)).toEqual([['confirmEmailChange', use]]);
  expect(done.text).toContain('<h1>Your email address has changed</h1>');
  for (const { status, text } of [page, done]) {
    expect(status).toBe(200);
    expect(text).toContain('<bdi>A &lt;b&gt;&amp; B</bdi>');
    expect(text).toContain('<strong>o&#x27;hara@acme.example</strong>');
  }
});

test('pages run no scripts, load no foreign styles, allow no frames and no caches, and send no referrer to other sites', async () => {
  const { headers, text } = await open('GET');
  const style = /<style>([^<]*)<\/style>/.exec(text)?.[1] as string;
  const digest = createHash('sha256').update(style).digest('base64');
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; img-src 'self'`,
    'referrer-policy': 'same-origin',
    'cache-control': expect.stringContaining('no-store'),
  });
  expect(text).not.toMatch(/ style=|<script/);
});

test('they are in the language of the mail', async () => {
  const headers = { Host: 'acme.chat.example', 'Accept-Language': 'en' };
  gateway.realm.answers.findEmailChange = async () => ({ ...CHANGE, language: 'de-AT' });
  const { text } = await gateway.request({ path: PATH, as: false, headers });
  expect(text).toContain('<html lang="de">');
  expect(text).toContain('<p>Das Konto bei <bdi>A &lt;b&gt;&amp; B</bdi> bekommt die Adresse <strong>');
});

test.each(['GET', 'POST'])(
  '%s: what realm refuses is said on a page, a fault of our own is not explained',
  async (method) => {
    const refuse = async () => {
      throw new BadRequestError('No <link>.', {}, 404);
    };
    Object.assign(gateway.realm.answers, { findEmailChange: refuse, confirmEmailChange: refuse });
    const refused = await open(method);
    expect([refused.status, refused.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(refused.text).toContain('<p role="alert">No &lt;link&gt;.</p>');
    const fail = async () => {
      throw new Error('secret');
    };
    Object.assign(gateway.realm.answers, { findEmailChange: fail, confirmEmailChange: fail });
    const failed = await open(method);
    expect([failed.status, failed.text.includes('secret')]).toEqual([500, false]);
  },
);

test('other methods are refused', async () => {
  const { status, headers } = await open('DELETE');
  expect([status, headers['allow']]).toEqual([405, 'GET, POST']);
});

test('the call confirms by the key; a key has a bound', async () => {
  expect(await gateway.call(confirmEmailChange, { key: 'abc' })).toMatchObject({
    status: 200,
    json: { result: 'success', email: "o'hara@acme.example" },
  });
  const { status, json } = await gateway.call(confirmEmailChange, { key: 'a'.repeat(101) });
  expect([status, json.msg]).toEqual([400, 'key is too long (limit: 100 characters)']);
});
