import '../../test/empty-page';
import { FakeServer, type Sent } from '../../test/fake-server';
import { registered } from '../../test/registered';
import { type LiveNews, LiveSession } from './live-session';

const server = new FakeServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.sent.length = 0;
});

const lost = () => {
  throw new TypeError('Failed to fetch');
};
const refused = (code: string) => ({ result: 'error', code, msg: code });
const heartbeat = (id: number) => ({ events: [{ id, type: 'heartbeat' }] });

/** Runs a session whose polls get these answers; then it is signed out. Resolves with what it told. */
async function run(polls: readonly ((request: Sent) => Record<string, unknown>)[]): Promise<LiveNews[]> {
  const news: LiveNews[] = [];
  const session = new LiveSession((each) => {
    news.push(each);
    if (each.kind === 'link' && each.link === 'down') setImmediate(() => session.hurry());
  });
  const left = [...polls];
  let queues = 0;
  server.answer = (request) => {
    if (request.path === '/json/register') {
      queues += 1;
      return { ...registered(`queue-${queues}`) };
    }
    const next = left.shift();
    if (next) return next(request);
    return Response.json({ result: 'error', code: 'UNAUTHORIZED', msg: '' }, { status: 401 });
  };
  await session.run();
  return news;
}

const paths = () => server.sent.map(({ path, parameters }) => [path, parameters['queue_id'], parameters['dont_block']]);

test('after an interruption the queue goes on, and the first answer comes at once', async () => {
  const news = await run([() => heartbeat(1), lost, () => heartbeat(2)]);
  expect(paths()).toEqual([
    ['/json/register', undefined, undefined],
    ['/json/events', 'queue-1', undefined],
    ['/json/events', 'queue-1', undefined],
    ['/json/events', 'queue-1', true],
    ['/json/events', 'queue-1', undefined],
  ]);
  expect(server.sent.at(-1)?.parameters).toMatchObject({ last_event_id: 2 });
  expect(news.flatMap((each) => (each.kind === 'link' ? each.link : []))).toEqual(['up', 'down', 'up', 'signed-out']);
});

test('a queue that is lost is replaced by another one', async () => {
  const news = await run([() => refused('BAD_EVENT_QUEUE_ID')]);
  expect(paths()).toMatchObject([
    ['/json/register'],
    ['/json/events', 'queue-1'],
    ['/json/register'],
    ['/json/events', 'queue-2'],
  ]);
  expect(news.filter(({ kind }) => kind === 'registered')).toHaveLength(2);
});

test('who is taken for a visitor is signed out; others try again', async () => {
  const complain = jest.spyOn(console, 'error').mockReturnValue();
  const answer = (status: number, code: string) => Response.json(refused(code), { status });
  const linksOf = async (answerOfOwn: () => Response) => {
    const links: string[] = [];
    const session: LiveSession = new LiveSession((news) => {
      if (news.kind !== 'link') return;
      links.push(news.link);
      server.answer = () => answer(401, 'UNAUTHORIZED');
      setImmediate(() => session.hurry());
    });
    server.answer = ({ path }) => (path === '/json/users/me' ? answerOfOwn() : answer(400, 'BAD_REQUEST'));
    await session.run();
    return links;
  };
  expect(await linksOf(() => answer(401, 'UNAUTHORIZED'))).toEqual(['signed-out']);
  expect(await linksOf(() => Response.json({ result: 'success', msg: '' }))).toEqual(['down', 'signed-out']);
  complain.mockRestore();
});
