import * as grpc from '@grpc/grpc-js';
import { decodeError, ServiceUnavailableError } from '../errors';
import { Durations, inSpan, isTracing, measuredCall, rpcSpan } from '../observability';
import { loadService, type ServiceName } from '../proto';
import { type Call, type Caller, toMetadata } from './call';
import { type Channels, renewingChannels } from './channels';
import { type Method, multiplexCalls, STREAM_LIFETIME_MS } from './multiplexed-calls';
import { CallLostError, repeatLost } from './repeat-lost';
import { decodeInSlices } from './sliced-messages';
import { channelCredentials, type TlsFiles } from './tls';
import type { RpcClient, RpcStreams } from './types';

export const ERROR_TRAILER = 'parley-error-bin';

/** A longer request is a separate call, so that it does not delay others. */
const MAX_MULTIPLEXED_BYTES = 64 * 1024;
const CHANNELS = 2;
/** Plus a minute for pending calls, this is less than the age at which servers of earlier versions close connections. */
const CHANNEL_AGE_MS = 45_000;
const KEEPALIVE_MS = 20_000;

/** Larger than HTTP/2's default window: long polls and bursts do not wait for window updates. */
export const FLOW_CONTROL_WINDOW = 8 * 1024 * 1024;
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

const durations = new Durations('parley_rpc_client_seconds', 'Calls of other services, retries and waiting included');

/** A replica of an earlier version, which does not know the method, counts as unavailable: one of this version replaces it. */
const AWAY = new Set([grpc.status.UNAVAILABLE, grpc.status.DEADLINE_EXCEEDED, grpc.status.UNIMPLEMENTED]);

/** The replica died, or ended without answering the call. */
const LOST = new Set([grpc.status.UNAVAILABLE, grpc.status.CANCELLED]);

export interface RpcConnection<S extends ServiceName> {
  client: RpcClient<S>;
  /** For two-way streams, which the promise-style client cannot express. */
  raw: grpc.Client & Record<string, unknown>;
  /**
   * Called when a service stops, before its background work is awaited: calls that wait for an unreachable service fail, now and from now
   * on. Calls of a reachable one end as usual.
   */
  stopWaiting(): void;
  close(): void;
}

/** Tests use shorter ages and intervals. */
export interface ConnectionTimes {
  channelAgeMs?: number;
  keepaliveMs?: number;
}

/**
 * Connects to service S; called once per process and service. `address` is `host:port`, or several IPv4 addresses separated by
 * commas; calls go round robin to all addresses that the name resolves to. Rejects with the very errors that
 * the service threw, or ServiceUnavailableError.
 */
export function connectRpc<S extends ServiceName>(
  service: S,
  address: string,
  tls?: TlsFiles,
  { channelAgeMs = CHANNEL_AGE_MS, keepaliveMs = KEEPALIVE_MS }: ConnectionTimes = {},
): RpcConnection<S> {
  const definition = loadService(service);
  const Client = clientOfStreams(definition, service);
  const { credentials, release } = channelCredentials(tls);
  const open = () => newChannel(Client, credentials, { service, address, tls, keepaliveMs });
  const channels = renewingChannels({ open, count: CHANNELS, ageMs: channelAgeMs });
  // Two-way streams may last as long as their service: their connections are not renewed.
  const lasting = open();
  const multiplexed = multiplexCalls(channels, Math.min(STREAM_LIFETIME_MS, channelAgeMs));
  const send = senderOver(channels, multiplexed);
  const client: Record<string, unknown> = {};
  for (const [methodName, method] of Object.entries(definition)) {
    if (isStreaming(method)) continue;
    const name = uncapitalize(methodName);
    const repeated = repeatLost(service, name, (call, request) => send(method, call, request));
    client[name] = measuredCall(durations, `${service}.${methodName}`, traced(method, repeated));
  }
  return {
    client: client as RpcClient<S>,
    raw: lasting as grpc.Client & Record<string, unknown>,
    stopWaiting: () => channels.stopWaiting(),
    close() {
      multiplexed.close();
      channels.close();
      lasting.close();
      release();
    },
  };
}

/** Sends a method's request once, and decodes the answer. */
function senderOver(channels: Channels, multiplexed: ReturnType<typeof multiplexCalls>) {
  let turn = 0;
  return async (method: Method, call: Call | Caller, request: unknown): Promise<unknown> => {
    const bytes = method.requestSerialize(request);
    const isShort = bytes.length <= MAX_MULTIPLEXED_BYTES;
    const response = isShort
      ? await multiplexed.call(method, call, bytes)
      : await unary(channels, turn++ % CHANNELS, method.path, call, bytes);
    noteConfirmed(call);
    return decodeInSlices(method, response, call.deadlineAt);
  };
}

const isStreaming = ({ requestStream, responseStream }: Method) => requestStream || responseStream;

/** Unary methods are called by their paths: gRPC would make a function for each of hundreds, at every connection. */
function clientOfStreams(definition: grpc.ServiceDefinition, service: string): grpc.ServiceClientConstructor {
  const streaming = Object.entries(definition).filter(([, method]) => isStreaming(method));
  return grpc.makeGenericClientConstructor(Object.fromEntries(streaming), service);
}

type Unary = (call: Call | Caller, request: unknown) => Promise<unknown>;

/** A service that answers has had the caller's credential confirmed: later calls of the request need not. */
function noteConfirmed(call: Call | Caller): void {
  if ('credential' in call && call.credential) call.credential.isConfirmed = true;
}

/** The span includes retries and waiting, so it may be longer than the callee's. */
function traced({ path }: Method, send: Unary): Unary {
  if (!isTracing()) return send;
  const span = rpcSpan('client', path);
  return (call, request) => inSpan(span, () => send(call, request));
}

interface Target {
  service: ServiceName;
  address: string;
  tls: TlsFiles | undefined;
  keepaliveMs: number;
}

function newChannel(
  Client: grpc.ServiceClientConstructor,
  credentials: grpc.ChannelCredentials,
  { service, address, tls, keepaliveMs }: Target,
) {
  const isList = address.includes(',');
  const channel = new Client(isList ? `ipv4:${address}` : `dns:${address}`, credentials, {
    // Replicas are found by address; their certificates name the service.
    ...(tls && { 'grpc.ssl_target_name_override': service }),
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.use_local_subchannel_pool': 1,
    'grpc-node.flow_control_window': FLOW_CONTROL_WINDOW,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.keepalive_time_ms': keepaliveMs,
  });
  return channel as grpc.Client;
}

function unary(channels: Channels, index: number, path: string, call: Call, request: Buffer): Promise<Buffer> {
  const { metadata, deadline } = toMetadata(call);
  const { channel, release } = channels.use(index);
  const asItIs = (bytes: Buffer) => bytes;
  return new Promise((resolve, reject) => {
    channel.makeUnaryRequest(path, asItIs, asItIs, request, metadata, { deadline }, (error, response) => {
      release();
      if (error) reject(fromUnaryError(error));
      else resolve(response as Buffer);
    });
  });
}

function fromUnaryError(error: grpc.ServiceError): Error {
  const isAnswer = (error.metadata?.get(ERROR_TRAILER).length ?? 0) > 0;
  return !isAnswer && LOST.has(error.code) ? new CallLostError(error) : fromServiceError(error);
}

/** Converts all errors of gRPC: restores the error that the other side threw. */
export function fromServiceError(error: grpc.ServiceError): Error {
  const trailer = error.metadata?.get(ERROR_TRAILER)[0];
  if (trailer instanceof Buffer) return decodeError(trailer);
  return AWAY.has(error.code) ? Object.assign(new ServiceUnavailableError(), { cause: error }) : error;
}

/** Whether a stream ended because the service, of an earlier version, has no such method. */
export function isUnknownMethod(error: Error | undefined): boolean {
  return (error as Partial<grpc.ServiceError> | undefined)?.code === grpc.status.UNIMPLEMENTED;
}

function uncapitalize(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/**
 * Opens a two-way stream to the connected service, which lives until either side ends it. Does not wait for the service: if it is
 * unreachable, the stream breaks at once. Its `error` events are gRPC's own, see fromServiceError.
 */
export function openStream<S extends ServiceName, M extends keyof RpcStreams<S> & string>(
  connection: RpcConnection<S>,
  method: M,
): RpcStreams<S>[M] {
  const open = connection.raw[method] as () => RpcStreams<S>[M];
  return open.call(connection.raw);
}
