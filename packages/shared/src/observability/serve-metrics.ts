import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics } from 'prom-client';
import { readGauges } from './gauges';
import { registry } from './registry';

const NODE_METRIC = 'process_cpu_seconds_total';

export interface MetricsServer {
  /** `host:port`, with the port that was really taken. */
  address: string;
  stop(): Promise<void>;
}

/** Answers `GET /metrics` at host:port, which is not where clients are served; port 0 takes a free one. Called by runService(). */
export async function serveMetrics(listen: string): Promise<MetricsServer> {
  // Counting costs the process a little: only whoever is asked does it.
  if (!registry.getSingleMetric(NODE_METRIC)) collectDefaultMetrics({ register: registry });
  const server = http.createServer((req, res) => {
    if (req.method === 'GET' && req.url === '/metrics') void answer(res);
    else res.writeHead(404).end();
  });
  const colon = listen.lastIndexOf(':');
  const host = listen.slice(0, colon);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(listen.slice(colon + 1)), host.replace(/^\[|\]$/g, ''), resolve);
  });
  return {
    address: `${host}:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(res: ServerResponse): Promise<void> {
  try {
    await readGauges();
    const text = await registry.metrics();
    res.writeHead(200, { 'Content-Type': registry.contentType }).end(text);
  } catch {
    res.writeHead(500).end();
  }
}
