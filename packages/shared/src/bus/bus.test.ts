import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, startNats } from '../embedded';
import { serveMetrics, silentLogger } from '../observability';
import { testServers } from '../testing';
import { connectBus } from './index';

test('a broker that does not accept the largest records is refused, and the error names the setting', async () => {
  const port = await freePort();
  const server = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    const options = { url: `nats://127.0.0.1:${port}`, prefix: '', name: 'test', log: silentLogger };
    await expect(connectBus(options)).rejects.toThrow(
      'NATS takes 1048576 bytes at once: set its max_payload to 8388608 (8MB) at least',
    );
  } finally {
    server.kill();
    await ended;
  }
});

test('a bus that is closed while the broker is unreachable stays closed', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-nats-'));
  const server = await startNats({ directory, isPersistent: false });
  const bus = await connectBus({ url: server.url, prefix: '', name: 'test', log: silentLogger });
  await server.stop();
  await bus.close();
  expect(bus.connection.isClosed()).toBe(true);
});

test('an abandoned bus has no metrics', async () => {
  const metrics = await serveMetrics('127.0.0.1:0');
  const isMeasured = async () => (await (await fetch(`http://${metrics.address}/metrics`)).text()).includes('"leaver"');
  const bus = await connectBus({ url: testServers().natsUrl, prefix: '', name: 'leaver', log: silentLogger });
  expect(await isMeasured()).toBe(true);
  await bus.abandon();
  expect([await isMeasured(), bus.connection.isClosed()]).toEqual([false, true]);
  await metrics.stop();
});
