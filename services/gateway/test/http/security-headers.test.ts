import { BadRequestError } from '@parley/shared/errors';
import { formBody, type RequestOptions, startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  const noSuch = () => Promise.reject(new BadRequestError('No such invitation'));
  gateway.invites.answers.lookUpInvitation = noSuch;
  gateway.realm.answers.findEmailChange = noSuch;
});
afterAll(() => gateway.stop());

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'cross-origin-resource-policy': 'cross-origin',
};
const NOTHING_SHOWN = "default-src 'none';frame-ancestors 'none'";
const JSON_ANSWER = {
  ...ALWAYS,
  'content-security-policy': NOTHING_SHOWN,
  'cache-control': expect.stringContaining('no-store'),
};
const PAGE = {
  ...ALWAYS,
  'referrer-policy': 'same-origin',
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': expect.stringMatching(
    /^default-src 'none'; style-src 'sha256-[^;]+; form-action 'self'; frame-ancestors 'none'/,
  ),
  'cache-control': expect.stringContaining('no-store'),
};

const message = formBody({ type: 'channel', to: '7', topic: 't', content: 'c' });

test.each<[string, number, RequestOptions, object]>([
  ['a success', 200, { path: '/api/v1/users/me' }, JSON_ANSWER],
  ['a success of a hot endpoint', 200, { method: 'POST', path: '/api/v1/messages', ...message }, JSON_ANSWER],
  ['a refusal', 401, { path: '/api/v1/users/me', as: false }, JSON_ANSWER],
  ['a refusal of a hot endpoint', 401, { method: 'POST', path: '/api/v1/messages', as: false }, JSON_ANSWER],
  [
    'a body that is too large',
    413,
    { method: 'POST', path: '/api/v1/messages', body: 'x'.repeat(1_100_000) },
    JSON_ANSWER,
  ],
  ['a wrong method', 405, { method: 'PUT', path: '/api/v1/messages' }, JSON_ANSWER],
  ['the allowed methods', 204, { method: 'OPTIONS', path: '/api/v1/messages' }, JSON_ANSWER],
  ['nothing there', 404, { path: '/nowhere' }, JSON_ANSWER],
  ['a path that cannot be read', 400, { path: '/api/v1/users/%FF' }, JSON_ANSWER],
  ['health', 200, { path: '/health/live' }, JSON_ANSWER],
  ['a page of an invitation', 404, { path: '/join/abcdefgh/', as: false }, PAGE],
  ['a page of a confirmation', 400, { path: '/accounts/confirm_new_email/abc', as: false }, PAGE],
  [
    'a picture',
    200,
    { path: '/static/images/default-logo.svg', as: false },
    { ...ALWAYS, 'content-security-policy': "default-src 'none'" },
  ],
])('%s (%i) carries the headers that browsers are to keep to', async (_case, status, options, expected) => {
  const answer = await gateway.request(options);
  expect({ status: answer.status, headers: answer.headers }).toMatchObject({ status, headers: expected });
  expect(answer.headers).not.toHaveProperty('x-powered-by');
});
