import { endpoints, getEvents, getMessages, sendMessage } from '../../src/endpoints';
import type { Endpoint } from '../../src/http/endpoint';
import { pathRest } from '../../src/http/parameters';
import { formBody, startGateway, type TestGateway } from '../gateway';

/** The same declarations at paths that only express finds: their last parameter spans several segments. */
const cold = [sendMessage, getMessages, getEvents].map((endpoint): Endpoint => {
  const { path, parameters, ...rest } = endpoint as Endpoint;
  return { ...rest, path: `/cold${path}/{rest}`, parameters: { ...parameters, rest: pathRest() }, isHot: false };
});

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({}, { endpoints: cold });
});
afterAll(() => gateway.stop());

test('the hot endpoints are those that are called all the time', () => {
  const hot = endpoints.filter(({ isHot }) => isHot).map(({ method, path }) => `${method} ${path}`);
  expect(hot.sort()).toEqual(['GET /events', 'GET /messages', 'POST /messages']);
});

const form = { type: 'channel', to: '7', topic: 't', content: 'c' };

test.each([
  ['POST', '/messages', formBody(form), 200],
  ['POST', '/messages?surplus=1&client=me', formBody(form), 200],
  ['POST', '/messages', formBody({ ...form, type: 'x' }), 400],
  ['POST', '/messages', { as: false as const }, 401],
  ['POST', '/messages', { ...formBody(form), body: 'x'.repeat(1_100_000) }, 413],
  ['GET', '/messages?anchor=newest&num_before=1', {}, 200],
  ['GET', '/messages?anchor=%FF', {}, 400],
  ['GET', '/events', {}, 400],
])('%s %s is answered alike, in front of express and behind it', async (method, path, options, status) => {
  const [hot, other] = await Promise.all(
    [path, `/cold${path.replace(/\?|$/, '/a/b$&')}`].map((at) =>
      gateway.request({ method, path: `/api/v1${at}`, ...options }),
    ),
  );
  const comparable = (answer: typeof hot) => {
    const { 'x-request-id': _id, date: _date, ...headers } = answer?.headers ?? {};
    return { ...answer, headers: { ...headers, 'access-control-allow-methods': undefined } };
  };
  expect(hot?.status).toBe(status);
  expect(comparable(hot)).toEqual(comparable(other));
});
