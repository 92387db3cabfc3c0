import * as grpc from '@grpc/grpc-js';
import type { HealthImplementation } from 'grpc-health-check';
import { encodeError } from '../errors';
import type { Dependencies } from '../health';
import { Durations, inTracesOf, type Logger, measuredCall, rpcSpan } from '../observability';
import { loadService, type ServiceName } from '../proto';
import { type Call, type Caller, fromMetadata, traceOf } from './call';
import { ERROR_TRAILER, FLOW_CONTROL_WINDOW, MAX_MESSAGE_BYTES } from './client';
import { type Confirmation, confirmed } from './confirmed-calls';
import { healthOf } from './health';
import type { Method } from './multiplexed-calls';
import { loggedCall, publicErrorOf, serveMultiplexedCalls, type UnaryHandler } from './serve-multiplexed-calls';
import { encodeInSlices } from './sliced-messages';
import { serverCredentials, type TlsFiles } from './tls';
import type { Implementation } from './types';

export interface RpcServer {
  /** `host:port`, with the actual port. */
  address: string;
  /** Stops accepting, lets calls in flight finish for up to `graceMs`, closes. */
  stop(graceMs?: number): Promise<void>;
}

export interface ServeOptions<S extends ServiceName> {
  service: S;
  implementation: Implementation<S>;
  /** Absent: calls with an unconfirmed credential are refused. */
  confirmation?: Confirmation<S>;
  /** Port 0 takes a free one. */
  address: string;
  log: Logger;
  /** Present: callers must present a certificate. */
  tls?: TlsFiles | undefined;
  /** An address that serves health without TLS; absent: health is served only at `address`. */
  healthAddress?: string | undefined;
  /** The service's dependencies, for the detailed health check. */
  dependencies?: Dependencies;
  /** Serves further services at the same address. */
  alsoServe?: (server: grpc.Server) => void;
}

const durations = new Durations('parley_rpc_server_seconds', 'Calls answered by this process');

/** Serves the methods of `proto/<service>.proto` and gRPC health; called by each service's create(). */
export async function serve<S extends ServiceName>(options: ServeOptions<S>): Promise<RpcServer> {
  const server = new grpc.Server({
    'grpc-node.flow_control_window': FLOW_CONTROL_WINDOW,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_concurrent_streams': 100_000,
  });
  const handlers = handlersOf(options);
  // A service without methods still serves health.
  if (Object.keys(handlers).length > 0) server.addService(definitionOf(options.service), handlers);
  const multiplexed = serveMultiplexedCalls(server, unaryMethodsOf(options), options.log);
  options.alsoServe?.(server);
  const health = healthOf(options.dependencies);
  health.addToServer(server);
  const host = options.address.slice(0, options.address.lastIndexOf(':'));
  const { credentials, release } = serverCredentials(options.tls);
  const port = await bind(server, options.address, credentials);
  const probed = options.healthAddress === undefined ? null : await serveHealth(health, options.healthAddress);
  return {
    address: `${host}:${port}`,
    async stop(graceMs = 5_000) {
      health.setStatus('', 'NOT_SERVING');
      multiplexed.retire();
      await shutDown(server, graceMs);
      release();
      probed?.forceShutdown();
    },
  };
}

/** Wraps a handler that needs its caller. */
export function byCaller<Request, Response>(handler: (caller: Caller, request: Request) => Promise<Response>) {
  return (call: Call | Caller, request: Request): Promise<Response> => {
    if (!('userId' in call)) throw new Error('This method is called on behalf of a user only');
    return handler(call, request);
  };
}

function handlersOf<S extends ServiceName>(options: ServeOptions<S>): grpc.UntypedServiceImplementation {
  const handlers: grpc.UntypedServiceImplementation = {};
  for (const [name, method] of Object.entries(loadService(options.service))) {
    handlers[name] = method.requestStream
      ? (handlerOf(options, name) as grpc.handleBidiStreamingCall<unknown, unknown>)
      : unaryHandler(measured(options, name), { name: `${options.service}.${name}`, method }, options.log);
  }
  return handlers;
}

/** Unary handlers return serialized answers. */
function definitionOf(service: ServiceName): grpc.ServiceDefinition {
  const methods = Object.entries(loadService(service)).map(([name, method]) =>
    method.requestStream ? [name, method] : [name, { ...method, responseSerialize: (bytes: Buffer) => bytes }],
  );
  return Object.fromEntries(methods);
}

function unaryMethodsOf<S extends ServiceName>(options: ServeOptions<S>) {
  const methods = Object.entries(loadService(options.service)).filter(([, method]) => !method.requestStream);
  return new Map(methods.map(([name, method]) => [method, measured(options, name)]));
}

function measured<S extends ServiceName>(options: ServeOptions<S>, name: string): UnaryHandler {
  const method = `${options.service}.${name}`;
  const handler = confirmed(handlerOf(options, name) as UnaryHandler, options, uncapitalized(name));
  return measuredCall(durations, method, loggedCall(handler, method, options.log));
}

function handlerOf<S extends ServiceName>({ implementation }: ServeOptions<S>, name: string): unknown {
  return (implementation as Record<string, unknown>)[uncapitalized(name)];
}

function uncapitalized(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function unaryHandler(
  handler: UnaryHandler,
  { name, method }: { name: string; method: Method },
  log: Logger,
): grpc.handleUnaryCall<unknown, unknown> {
  const span = rpcSpan('server', method.path);
  return (serverCall, respond) => {
    const { metadata, request } = serverCall;
    const call = fromMetadata(metadata, serverCall.getDeadline());
    void inTracesOf(traceOf(metadata), span, async () => {
      try {
        respond(null, await encodeInSlices(method, await handler(call, request), call.deadlineAt));
      } catch (error) {
        respond(toStatus(error, name, call, log));
      }
    });
  };
}

function toStatus(error: unknown, method: string, call: Call, log: Logger): Partial<grpc.StatusObject> {
  const publicError = publicErrorOf(error, method, call, log);
  if (publicError === null) return { code: grpc.status.INTERNAL, details: 'Internal error' };
  const metadata = new grpc.Metadata();
  metadata.set(ERROR_TRAILER, encodeError(publicError));
  return { code: grpc.status.FAILED_PRECONDITION, details: publicError.code, metadata };
}

/** For probes without a certificate. */
async function serveHealth(health: HealthImplementation, address: string): Promise<grpc.Server> {
  const server = new grpc.Server();
  health.addToServer(server);
  await bind(server, address, grpc.ServerCredentials.createInsecure());
  return server;
}

function bind(server: grpc.Server, address: string, credentials: grpc.ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error) reject(new Error(`cannot listen on ${address}: ${error.message}`));
      else resolve(port);
    });
  });
}

function shutDown(server: grpc.Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
