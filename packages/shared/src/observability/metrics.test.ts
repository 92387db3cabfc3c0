import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceUnavailableError, UnauthorizedError } from '../errors';
import { Durations, declareGauge, type MetricsServer, measuredCall, onScrape, serveMetrics } from './index';

let server: MetricsServer;
beforeAll(async () => {
  server = await serveMetrics('127.0.0.1:0');
});
afterAll(() => server.stop());

async function scrape(): Promise<string[]> {
  const answer = await fetch(`http://${server.address}/metrics`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
  return (await answer.text()).split('\n');
}

const seriesOf = async (name: string) => (await scrape()).filter((line) => line.startsWith(name));

test('a histogram counts in every bucket the values up to its bound, and their sum', async () => {
  const duration = new Durations('test_wait_seconds', 'help').of({ of: 'tea' });
  duration.took(0.003);
  duration.took(4);
  duration.took(3600);
  const lines = await seriesOf('test_wait_seconds');
  expect(lines).toEqual(
    expect.arrayContaining([
      'test_wait_seconds_bucket{of="tea",le="0.0025"} 0',
      'test_wait_seconds_bucket{of="tea",le="0.005"} 1',
      'test_wait_seconds_bucket{of="tea",le="5"} 2',
      'test_wait_seconds_bucket{of="tea",le="30"} 2',
      'test_wait_seconds_bucket{of="tea",le="+Inf"} 3',
      'test_wait_seconds_sum{of="tea"} 3604.003',
      'test_wait_seconds_count{of="tea"} 3',
    ]),
  );
  expect(await scrape()).toContain('# TYPE test_wait_seconds histogram');
});

test('calls are counted by outcome, and the outcome is passed on', async () => {
  const durations = new Durations('test_call_seconds', 'help');
  const endings: (Error | undefined)[] = [
    undefined,
    undefined,
    new UnauthorizedError('no'),
    new ServiceUnavailableError(),
    new TypeError('a bug'),
  ];
  for (const ending of endings) {
    const call = measuredCall(durations, 'realm.GetTea', async (cup: string) => {
      if (ending) throw ending;
      return cup;
    });
    expect(await call('mug').catch((error) => error)).toBe(ending ?? 'mug');
  }
  expect(await seriesOf('test_call_seconds_count')).toEqual([
    'test_call_seconds_count{method="realm.GetTea",outcome="ok"} 2',
    'test_call_seconds_count{method="realm.GetTea",outcome="refused"} 1',
    'test_call_seconds_count{method="realm.GetTea",outcome="unavailable"} 1',
    'test_call_seconds_count{method="realm.GetTea",outcome="failed"} 1',
  ]);
});

test('gauges are read at a scrape, those of one series summed, until they are removed', async () => {
  const gauge = declareGauge('test_cups', 'help', ['shelf']);
  const read = (value: number) => onScrape(() => [{ gauge, value, labels: { shelf: 'upper' } }]);
  const [end] = [read(3), read(4)];
  expect(await seriesOf('test_cups')).toEqual(['test_cups{shelf="upper"} 7']);
  expect(await seriesOf('test_cups')).toEqual(['test_cups{shelf="upper"} 7']);
  end();
  expect(await seriesOf('test_cups')).toEqual(['test_cups{shelf="upper"} 4']);
});

test('a gauge that fails or is too slow does not keep the others from being served', async () => {
  const gauge = declareGauge('test_plates', 'help', ['shelf']);
  const guests = declareGauge('test_guests', 'help');
  const waiting = new AbortController();
  const ends = [
    onScrape(async () => [{ gauge: guests, value: await Promise.reject(new ServiceUnavailableError()) }]),
    onScrape(() => Promise.reject(new ServiceUnavailableError())),
    onScrape(async () => {
      await sleep(60_000, undefined, { signal: waiting.signal });
      return [{ gauge, value: 1, labels: { shelf: 'lower' } }];
    }),
    onScrape(() => [{ gauge, value: 2, labels: { shelf: 'upper' } }]),
  ];
  expect(await seriesOf('test_plates')).toEqual(['test_plates{shelf="upper"} 2']);
  expect(await seriesOf('test_guests')).toEqual([]);
  waiting.abort();
  for (const end of ends) end();
});

test('Node itself is measured; nothing else is answered', async () => {
  expect(await seriesOf('nodejs_eventloop_lag_p99_seconds ')).toHaveLength(1);
  const statuses = [`/`, `/metrics/x`].map(async (path) => (await fetch(`http://${server.address}${path}`)).status);
  expect(await Promise.all(statuses)).toEqual([404, 404]);
  expect((await fetch(`http://${server.address}/metrics`, { method: 'POST' })).status).toBe(404);
});
