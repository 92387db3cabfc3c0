import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as grpc from '@grpc/grpc-js';
import { readGauges, registry } from '../observability/metrics';
import {
  type Inspected,
  type InspectedServer,
  type InspectedSetting,
  type InspectRequest,
  loadService,
} from '../proto';
import { type Call, fromServiceError, type RpcConnection, toMetadata } from '../rpc';

/** A process's description of itself. */
export interface InspectedProcess {
  service: string;
  config: Readonly<Record<string, unknown>>;
  /** By kind of server: each asks its server for its version, and throws the reason if that fails. */
  servers: Readonly<Record<string, () => Promise<string>>>;
  /** The applied migrations. */
  migrations?: () => Promise<string[]>;
}

const TIMEOUT_MS = 5_000;

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

/** The error's text may contain the server's address with a password: only its kind is shown. */
async function inspectServer(kind: string, ask: () => Promise<string>): Promise<InspectedServer> {
  try {
    return { kind, version: await withinTimeout(ask()) };
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    return { kind, version: '', fault: (code ? `${code}: ${message}` : message).replace(/\S+:\/\/\S+/g, '***') };
  }
}

async function withinTimeout<T>(work: Promise<T>): Promise<T> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const late = new Promise<never>((_resolve, reject) => {
    timeout.addEventListener('abort', () => reject(new Error(`no answer within ${TIMEOUT_MS / 1_000} s`)));
  });
  return Promise.race([work, late]);
}

async function readMetrics(): Promise<string> {
  await readGauges();
  return registry.metrics();
}

const MASK = '***';
const IS_SECRET = /SECRET|PASSWORD|TOKEN|_KEY$|KEY_ID$|AUTHORIZATION/;

/** The settings of a process, as they were read, without secrets. Called by serveInspection(). */
export function maskedSettings(config: Readonly<Record<string, unknown>>): InspectedSetting[] {
  return Object.entries(config)
    .filter(([name, value]) => /^[A-Z0-9_]+$/.test(name) && value !== undefined)
    .map(([name, value]) => ({ name, value: masked(name, value) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A setting's value as it may be shown: an address is reduced to its host. */
export function masked(name: string, value: unknown): string {
  if (IS_SECRET.test(name)) return MASK;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)([^\s"]*)/gi, (_address, scheme: string, rest: string) => {
    const authority = rest.split(/[/?#]/, 1)[0] as string;
    const hasMore = rest.length > authority.length;
    // A password may contain unencoded slashes: then only the scheme is certain.
    if (rest.slice(authority.length).includes('@')) return `${scheme}${MASK}`;
    const at = authority.lastIndexOf('@');
    return `${scheme}${at < 0 ? '' : `${MASK}@`}${authority.slice(at + 1)}${hasMore ? `/${MASK}` : ''}`;
  });
}

/** Requests another process's description. Throws like calls. Called by the operator's command. */
export function inspect(
  { raw }: Pick<RpcConnection<'realm'>, 'raw'>,
  call: Call,
  request: InspectRequest,
): Promise<Inspected> {
  const method = loadService('inspection')['Inspect'] as grpc.MethodDefinition<InspectRequest, Inspected>;
  const { metadata, deadline } = toMetadata(call);
  return new Promise((resolve, reject) => {
    (raw as grpc.Client).makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata,
      { deadline },
      (error, answer) => (answer ? resolve(answer) : reject(fromServiceError(error as grpc.ServiceError))),
    );
  });
}
