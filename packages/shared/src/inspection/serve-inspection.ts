import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as grpc from '@grpc/grpc-js';
import { readGauges } from '../observability/gauges';
import { registry } from '../observability/registry';
import { type Inspected, type InspectedServer, type InspectRequest, loadService } from '../proto';
import { maskedSettings } from './masked-settings';

/** What a process knows of itself. */
export interface InspectedProcess {
  service: string;
  config: Readonly<Record<string, unknown>>;
  /** Each asks one server what it is; what it throws is what is wrong. By the server's kind. */
  servers: Readonly<Record<string, () => Promise<string>>>;
  /** Those that the database has. */
  migrations?: () => Promise<string[]>;
}

const PATIENCE_MS = 5_000;

const { version } = JSON.parse(readFileSync(path.resolve(__dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

/** Serves `proto/inspection.proto` beside a service's methods; called where the service is started. */
export function serveInspection(server: grpc.Server, process: InspectedProcess): void {
  server.addService(loadService('inspection'), {
    Inspect(call: grpc.ServerUnaryCall<InspectRequest, Inspected>, respond: grpc.sendUnaryData<Inspected>) {
      inspected(process, call.request).then(
        (answer) => respond(null, answer),
        () => respond({ code: grpc.status.INTERNAL, details: 'Internal error' }),
      );
    },
  });
}

async function inspected(own: InspectedProcess, { withMetrics }: InspectRequest): Promise<Inspected> {
  const servers = Object.entries(own.servers).map(([kind, ask]) => inspectServer(kind, ask));
  return {
    service: own.service,
    version,
    nodeVersion: process.version,
    uptimeMs: Math.round(process.uptime() * 1_000),
    settings: maskedSettings(own.config),
    servers: await Promise.all(servers),
    migrations: (await own.migrations?.().catch(() => [])) ?? [],
    metrics: withMetrics ? await readMetrics() : '',
  };
}

/** What goes wrong may name the server, and in its address a password: what it is called must do. */
async function inspectServer(kind: string, ask: () => Promise<string>): Promise<InspectedServer> {
  try {
    return { kind, version: await withinPatience(ask()) };
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    return { kind, version: '', fault: (code ? `${code}: ${message}` : message).replace(/\S+:\/\/\S+/g, '***') };
  }
}

async function withinPatience<T>(work: Promise<T>): Promise<T> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const late = new Promise<never>((_resolve, reject) => {
    patience.addEventListener('abort', () => reject(new Error(`no answer within ${PATIENCE_MS / 1_000} s`)));
  });
  return Promise.race([work, late]);
}

async function readMetrics(): Promise<string> {
  await readGauges();
  return registry.metrics();
}
