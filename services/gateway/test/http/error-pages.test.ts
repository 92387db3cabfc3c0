import { ServiceUnavailableError } from '@parley/shared/errors';
import { startGateway, type TestGateway } from '../gateway';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const image = '/user_avatars/1/realm/logo.png';

test('a server that is not ready says so to browsers on a page, and when to come again', async () => {
  gateway.realm.answers.getOrganizationImage = () => Promise.reject(new ServiceUnavailableError());
  const page = await gateway.request({ path: image, as: false, headers: BROWSER });
  expect(page).toMatchObject({
    ...{ status: 503, text: expect.stringContaining('<h1>The server is not ready</h1>') },
    headers: { 'content-type': 'text/html; charset=utf-8', 'retry-after': '2' },
  });
  const answer = await gateway.request({ path: image, as: false });
  expect(answer).toMatchObject({ status: 503, json: { code: 'SERVER_NOT_READY' }, headers: { 'retry-after': '2' } });
});

test('an internal error is a page without details, with the number of the request', async () => {
  gateway.realm.answers.getOrganizationImage = () => Promise.reject(new Error('secret detail'));
  const headers = { ...BROWSER, 'X-Request-Id': 'request-5' };
  const page = await gateway.request({ path: image, as: false, headers });
  expect(page).toMatchObject({
    status: 500,
    text: expect.stringMatching(/<h1>Something went wrong<\/h1>[\s\S]*request-5/),
  });
  expect(page.text).not.toContain('secret');
  expect((await gateway.request({ path: image, as: false })).json).toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
});
