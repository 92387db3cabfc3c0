import type { ServiceName } from '@parley/shared/proto';
import { connectRpc, type RpcServer, serve } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { until } from '@parley/shared/testing';
import { createGatewayHealth } from './gateway-health';
import { readiness } from './health';

const SERVICES = ['realm', 'messages', 'events'] as const;
/** States are cached for a second. */
const FORGOTTEN_MS = 1_100;
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A gateway with services that serve health only. */
async function start(doOthersReachThem: boolean) {
  const servers = new Map<ServiceName, RpcServer>();
  const targets = await Promise.all(
    SERVICES.map(async (service) => {
      const server = await serve({ service, implementation: {} as never, address: '127.0.0.1:0', log: silentLogger });
      servers.set(service, server);
      const connection = connectRpc(service, server.address);
      stops.push(() => server.stop(0), connection.close);
      return [service, { connection, address: server.address }] as const;
    }),
  );
  const others = { reachAny: async () => doOthersReachThem };
  const health = createGatewayHealth({
    targets: Object.fromEntries(targets),
    tls: undefined,
    directory: undefined,
    others,
    log: silentLogger,
  });
  stops.push(health.stop);
  const status = async () => (await readiness(health)).status;
  /** Repeats the request, like load balancers, until the services have answered in time. */
  const becomeReady = () => until(async () => (await status()) === 200);
  const forget = () => new Promise((resolve) => setTimeout(resolve, FORGOTTEN_MS));
  return { health, status, becomeReady, forget, take: (service: ServiceName) => servers.get(service)?.stop(0) };
}

describe('a gateway is ready', () => {
  test('once it has reached the services, even if one is unreachable for all gateways', async () => {
    const { status, becomeReady, forget, take, health } = await start(false);
    await becomeReady();
    await take('realm');
    await forget();
    expect(await status()).toBe(200);
    expect((await health.states()).get('realm')).toMatchObject({
      status: 'away',
      reason: 'nothing answers at its address',
    });
  });

  test('not before it has reached them', async () => {
    const { status, take } = await start(false);
    await take('realm');
    expect(await status()).toBe(503);
  });

  test('nor while other gateways reach a service that it does not', async () => {
    const { status, becomeReady, forget, take } = await start(true);
    await becomeReady();
    await take('messages');
    await forget();
    expect(await status()).toBe(503);
  });
});
