import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { getOwnUser } from '@parley/gateway/endpoints';
import { createTestAuthority, type TestAuthority } from '@parley/shared/testing';
import { parse } from 'yaml';
import { TestNetwork } from '../../src';
import { SCHEMAS } from '../../src/network/replica';
import type { Tree } from '../deployment/manifest';
import { SERVICES } from '../deployment/service-settings';
import { type ReceivedSpan, SpanReceiver } from './span-receiver';

const MONITORING = path.resolve(__dirname, '../../../../k8s/monitoring');
/** Labels of few values, each: Prometheus keeps a series for every combination. */
const LABELS = [
  'method',
  'route',
  'status',
  'outcome',
  'service',
  'database',
  'state',
  'kind',
  'of',
  'dependency',
  'le',
];

/** The trace of a client that traces its requests. */
const TRACE = { id: 'a1'.repeat(16), parent: 'b2'.repeat(8) };
const headers = { traceparent: `00-${TRACE.id}-${TRACE.parent}-01` };

let authority: TestAuthority;
let receiver: SpanReceiver;
let network: TestNetwork;
let scraped: Record<string, string[]>;
beforeAll(async () => {
  receiver = await SpanReceiver.start();
  authority = await createTestAuthority();
  const { certFile, keyFile, caFile } = await authority.issue(SERVICES);
  const tls = { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CA_FILE: caFile };
  const settings = { METRICS_LISTEN: '127.0.0.1:0', ...receiver.settings, ...tls };
  network = await TestNetwork.create({ processes: SERVICES, settings });
  scraped = await scrapeAfterTraffic();
  // Remaining spans are sent at the end.
  await network.stop();
});
afterAll(async () => {
  await network?.stop();
  await receiver.stop();
  authority.remove();
});

/** Everybody's metrics after a message was delivered to a client that waited for it, and while the client waits for the next one. */
async function scrapeAfterTraffic(): Promise<Record<string, string[]>> {
  const { dan, eve, iris } = network;
  const queue = await eve.events({ event_types: ['message'] });
  const delivered = queue.next('message');
  while (sampleOf(await scrape('events'), 'parley_events_held_polls') === 0);
  const form = { type: 'channel', to: 'general', topic: 'lunch', content: 'Soup?' };
  await dan.callRaw({ method: 'POST', path: '/api/v1/messages', form, headers });
  await delivered;
  await dan.callRaw({ method: 'PATCH', path: '/api/v1/settings', form: { twenty_four_hour_time: 'true' }, headers });
  for (const path of ['/api/v1/invites', '/api/v1/scheduled_messages'])
    await iris.callRaw({ method: 'GET', path, headers });
  for (const path of ['/health/live', '/health/ready']) await dan.callRaw({ method: 'GET', path, headers });
  await dan.callRaw({ method: 'GET', path: '/api/v1/nowhere' });
  await dan.call(getOwnUser, {});
  void queue.next('message').catch(() => {});
  while (sampleOf(await scrape('events'), 'parley_events_held_polls') === 0);
  await network.settle();
  return Object.fromEntries(await Promise.all(SERVICES.map(async (name) => [name, await scrape(name)])));
}

async function scrape(service: (typeof SERVICES)[number]): Promise<string[]> {
  const answer = await fetch(`http://${network.replicas[service][0]?.metrics}/metrics`);
  const lines = (await answer.text()).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

/** The value of the first series that begins so. */
function sampleOf(lines: readonly string[], series: string): number | undefined {
  const line = lines.find((each) => each.startsWith(series));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
}

const sample = (service: string, series: string) => sampleOf(scraped[service] as string[], series);
const allLines = () => Object.values(scraped).flat();

test('the gateway counts requests by the template of their path, and those of no route together', () => {
  const count = (labels: string) => sample('gateway', `parley_http_request_seconds_count{${labels}}`);
  expect(count('method="POST",route="/api/v1/messages",status="200"')).toBe(1);
  expect(count('method="GET",route="/api/v1/events",status="200"')).toBeGreaterThanOrEqual(1);
  expect(count('method="any",route="none",status="404"')).toBe(1);
});

test('a call is counted where it is made and where it is answered', () => {
  const series = (side: string) => `parley_rpc_${side}_seconds_count{method="messages.SendMessage",outcome="ok"}`;
  expect([sample('gateway', series('client')), sample('messages', series('server'))]).toEqual([1, 1]);
  expect(sample('realm', 'parley_rpc_server_seconds_count{method="realm.GetSendFacts",outcome="ok"}')).toBe(1);
});

test('how long a message took to a client that waited is measured from end to end', () => {
  expect(sample('events', 'parley_events_delivery_seconds_count')).toBe(1);
  expect(sample('events', 'parley_events_delivery_seconds_sum')).toBeLessThan(10);
  expect(sample('events', 'parley_events_queues')).toBe(1);
  expect(sample('events', 'parley_events_window_bytes')).toBeGreaterThan(0);
});

test.each(SCHEMAS)('$service has metrics of its database, its outbox and NATS', ({ service }) => {
  expect(sample(service, `parley_database_statement_seconds_count{database="${service}"}`)).toBeGreaterThan(0);
  // What is scraped asks the database, too, and may use the only connection at that moment.
  const connections = ['idle', 'busy'].map((state) =>
    sample(service, `parley_database_connections{database="${service}",state="${state}"}`),
  );
  expect(Math.max(...(connections as number[]))).toBeGreaterThan(0);
  expect(sample(service, `parley_outbox_waiting_events{service="${service}"}`)).toBe(0);
  expect(sample(service, `parley_outbox_leading{service="${service}"}`)).toBe(1);
  expect(sample(service, `parley_nats_connected{service="${service}"}`)).toBe(1);
});

test.each(SCHEMAS)('$service, which publishes, has metrics of the log and the queues in the broker', ({ service }) => {
  for (const stream of ['log', 'queues'])
    for (const name of ['parley_stream_copies', 'parley_stream_copies_wanted'])
      expect(sample(service, `${name}{service="${service}",of="${stream}"}`)).toBe(1);
  expect(sample(service, `parley_stream_bytes{service="${service}",of="log"}`)).toBeGreaterThan(0);
  expect(sample(service, `parley_stream_limit_bytes{service="${service}",of="log"}`)).toBe(2 * 1024 ** 3);
  expect(sample('messages', 'parley_log_unhandled_records{service="messages",kind="')).toBe(0);
});

test('every alert and every panel uses existing metrics', () => {
  const rules: Tree[] = parse(readFileSync(path.join(MONITORING, 'alerts.yaml'), 'utf8')).groups[0].rules;
  const dashboard = JSON.parse(readFileSync(path.join(MONITORING, 'dashboard.json'), 'utf8')) as { panels: Tree[] };
  const asked = [...rules, ...dashboard.panels.flatMap((panel) => panel['targets'] as Tree[])];
  const expressions = asked.map((each) => each['expr'] as string);
  expect(expressions.length).toBeGreaterThan(30);
  const names = new Set(expressions.flatMap((text) => text.match(/\b(parley|nodejs|process)_[a-z0-9_]+/g) ?? []));
  const exported = new Set(allLines().map((line) => /^[a-z0-9_]+/.exec(line)?.[0]));
  expect([...names].filter((name) => !exported.has(name))).toEqual([]);
  // Metrics of the cluster itself are not checked here.
  const ours = expressions.map((text) => text.replaceAll(/\bkube_\w+\{[^}]*\}/g, ''));
  const values = ours.flatMap((text) => [...text.matchAll(/\b((?!job)\w+)="([^"]+)"/g)]);
  const failures = /^(unavailable|failed)$/;
  const isExported = ([label, , value]: string[]) =>
    failures.test(value as string) || allLines().some((line) => line.includes(label as string));
  expect(values.filter((value) => !isExported(value)).map(([label]) => label)).toEqual([]);
});

test('an alert fires for every service without metrics', () => {
  const rules: Tree[] = parse(readFileSync(path.join(MONITORING, 'alerts.yaml'), 'utf8')).groups[0].rules;
  const missing = rules.find(({ alert }) => alert === 'ParleyServiceIsNotMeasured')?.['expr'] as string;
  const [, ofGateway] = /absent\((\w+)\), "service", "gateway"/.exec(missing) as string[];
  const others = [...missing.matchAll(/absent\((\w+\{service="(\w+)"\})\)/g)].map(([, series, service]) => [
    service,
    series,
  ]);
  const missed = [['gateway', ofGateway], ...others] as [string, string][];
  expect(missed.map(([service]) => service).sort()).toEqual([...SERVICES].sort());
  expect(missed.filter(([service, series]) => sample(service, series) === undefined)).toEqual([]);
  expect(SERVICES.filter((service) => sample(service, ofGateway as string) !== undefined)).toEqual(['gateway']);
});

test('every alert is explained to operators', () => {
  const rules: Tree[] = parse(readFileSync(path.join(MONITORING, 'alerts.yaml'), 'utf8')).groups[0].rules;
  const manual = readFileSync(path.join(MONITORING, '../../docs/run.md'), 'utf8');
  const explained = [...manual.matchAll(/^\| `(Parley\w+)` \|/gm)].map(([, name]) => name);
  expect(explained).toEqual(rules.map(({ alert }) => alert));
});

test('no label names a user, an organization, a channel or anything else that there may be many of', () => {
  const ours = allLines().filter((line) => line.startsWith('parley_'));
  const labels = ours.flatMap((line) => [...line.matchAll(/[{,](\w+)="([^"]*)"/g)]);
  expect([...new Set(labels.map(([, name]) => name))].filter((name) => !LABELS.includes(name as string))).toEqual([]);
  const numbers = labels.filter(
    ([, name, value]) => /\d{2}/.test(value as string) && name !== 'le' && name !== 'status',
  );
  expect(numbers.map(([label]) => label)).toEqual([]);
});

describe('a trace', () => {
  const spansOf = (service: string) =>
    receiver.spans.filter((span) => span.traceId === TRACE.id && span.service === `parley-${service}`);
  const spanOf = (service: string, name: string, ofCaller?: ReceivedSpan) => {
    const found = spansOf(service).find(
      (s) => s.name.startsWith(name) && (!ofCaller || s.parentSpanId === ofCaller.spanId),
    );
    if (!found) throw new Error(`${service} has no ${name}, but ${spansOf(service).map((span) => span.name)}`);
    return found;
  };

  test('of a sent message leads from the client’s request through services and statements to its receivers', () => {
    const request = spanOf('gateway', 'POST /api/v1/messages');
    expect(request).toMatchObject({ parentSpanId: TRACE.parent, attributes: { 'http.response.status_code': 200 } });
    const send = 'parley.v1.Messages/SendMessage';
    const sending = spanOf('messages', send, spanOf('gateway', send, request));
    const ask = 'parley.v1.Realm/GetSendFacts';
    const asking = spanOf('realm', ask, spanOf('messages', ask, sending));
    spanOf('realm', 'pg.query:', asking);
    spanOf('messages', 'pg.query:insert-', sending);
    // The relay is another process: it continues the trace in the row.
    spanOf('events', 'deliver message.sent', spanOf('messages', 'publish message.sent', sending));
  });

  test('continues in services that act on its events', () => {
    const request = spanOf('gateway', 'PATCH /api/v1/settings');
    const method = 'parley.v1.Realm/UpdateUserSettings';
    const changing = spanOf('realm', method, spanOf('gateway', method, request));
    const handling = spanOf('messages', 'handle user-setting', spanOf('realm', 'publish user-setting', changing));
    spanOf('messages', 'pg.query:', handling);
  });

  test('has every service in it', () => {
    expect(SERVICES.filter((service) => spansOf(service).length === 0)).toEqual([]);
  });

  test('is not made of probes, polls or chores', () => {
    expect(receiver.spans.filter(({ name }) => /\/(health|events)/.test(name)).map(({ name }) => name)).toEqual([]);
    const beginnings = receiver.spans.filter(({ parentSpanId }) => !parentSpanId);
    expect(beginnings.filter(({ service }) => service !== 'parley-gateway')).toEqual([]);
  });

  test('contain no texts of users and no keys, and of SQL the statement only', () => {
    const { apiKey, email } = network.dan;
    const secrets = ['Soup?', 'lunch', email, apiKey, Buffer.from(`${email}:${apiKey}`).toString('base64')];
    expect(secrets.filter((secret) => receiver.text.includes(secret))).toEqual([]);
    expect(receiver.text).toContain('db.query.text');
  });
});

test('without a collector nothing of it is loaded', () => {
  const service = path.resolve(__dirname, '../../../../services/messages/dist');
  const program = `
    require('${service}/tracing.js');
    require('${service}/service.js');
    console.log(Object.keys(require.cache).join('\\n'));`;
  const environment = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: '' };
  const loaded = execFileSync(process.execPath, ['-e', program], { env: environment, encoding: 'utf8' }).split('\n');
  expect(loaded.length).toBeGreaterThan(100);
  // prom-client also loads the API package, which needs no set-up.
  expect(loaded.filter((file) => /@opentelemetry\/(?!api\/)/.test(file))).toEqual([]);
});

test.each(SERVICES)('%s loads tracing before the traced libraries', (service) => {
  const main = readFileSync(path.resolve(__dirname, `../../../../services/${service}/src/main.ts`), 'utf8');
  expect(main).toMatch(/^import '\.\/tracing';\n/);
});
