import * as grpc from '@grpc/grpc-js';
import { decodeError, ServiceUnavailableError } from '../errors';
import { loadService, type ServiceName } from '../proto';
import { type Call, toMetadata } from './call';
import { joinCalls } from './joined-calls';
import type { RpcClient } from './types';

export const ERROR_TRAILER = 'parley-error-bin';

const RETRYABLE_VERBS = /^(get|list|authenticate)/;
/** Methods that everybody calls all the time: their concurrent calls travel together. */
const JOINED_METHODS = new Set(['/parley.v1.Messages/SendMessage']);
const CHANNELS = 2;

/** Larger than HTTP/2's default window: held calls and bursts do not wait for window updates. */
export const FLOW_CONTROL_WINDOW = 8 * 1024 * 1024;
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

export interface RpcConnection<S extends ServiceName> {
  client: RpcClient<S>;
  /** For two-way streams, which the promise-style client cannot express. */
  raw: grpc.Client & Record<string, unknown>;
  close(): void;
}

/**
 * Connects to service S; called once per process and service. `address` is `host:port`, or several IPv4 ones separated by
 * commas; calls go round robin over every address that the name resolves to. Rejections are the very errors that
 * the service threw, or ServiceUnavailableError.
 */
export function connectRpc<S extends ServiceName>(service: S, address: string): RpcConnection<S> {
  const definition = loadService(service);
  const Client = grpc.makeGenericClientConstructor(definition, service);
  const channels = Array.from({ length: CHANNELS }, () => newChannel(Client, definition, address));
  let turn = 0;
  const send = (method: grpc.MethodDefinition<unknown, unknown>, call: Call, request: unknown) => {
    turn = (turn + 1) % CHANNELS;
    return unary(channels[turn] as grpc.Client, method, call, request);
  };
  const client: Record<string, unknown> = {};
  for (const [name, method] of Object.entries(definition)) {
    if (method.requestStream || method.responseStream) continue;
    const isJoined = JOINED_METHODS.has(method.path);
    client[uncapitalize(name)] = isJoined ? joinCalls(send, method) : send.bind(null, method);
  }
  return {
    client: client as RpcClient<S>,
    raw: channels[0] as grpc.Client & Record<string, unknown>,
    close: () => channels.forEach((channel) => void channel.close()),
  };
}

function newChannel(Client: grpc.ServiceClientConstructor, definition: grpc.ServiceDefinition, address: string) {
  const isList = address.includes(',');
  const channel = new Client(isList ? `ipv4:${address}` : `dns:${address}`, grpc.credentials.createInsecure(), {
    'grpc.service_config': JSON.stringify({
      loadBalancingConfig: [{ round_robin: {} }],
      methodConfig: [retryOf(definition)],
    }),
    'grpc.use_local_subchannel_pool': 1,
    'grpc-node.flow_control_window': FLOW_CONTROL_WINDOW,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.keepalive_time_ms': 20_000,
  });
  return channel as grpc.Client;
}

/** Reads may be repeated when a service vanished in mid-call; what changes something is repeated by whoever holds its key. */
function retryOf(definition: grpc.ServiceDefinition) {
  const reads = Object.values(definition).filter((method) => RETRYABLE_VERBS.test(uncapitalize(lastPart(method.path))));
  return {
    name: reads.map((method) => ({ service: method.path.split('/')[1], method: lastPart(method.path) })),
    retryPolicy: {
      maxAttempts: 4,
      initialBackoff: '0.05s',
      maxBackoff: '0.5s',
      backoffMultiplier: 2,
      retryableStatusCodes: ['UNAVAILABLE'],
    },
  };
}

function unary(channel: grpc.Client, method: grpc.MethodDefinition<unknown, unknown>, call: Call, request: unknown) {
  const { metadata, deadline } = toMetadata(call);
  return new Promise<unknown>((resolve, reject) => {
    channel.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata,
      { deadline },
      (error, response) => (error ? reject(fromServiceError(error)) : resolve(response)),
    );
  });
}

/** The single door for errors of gRPC: whatever the other side threw, named again. */
export function fromServiceError(error: grpc.ServiceError): Error {
  const trailer = error.metadata?.get(ERROR_TRAILER)[0];
  if (trailer instanceof Buffer) return decodeError(trailer);
  const isAway = error.code === grpc.status.UNAVAILABLE || error.code === grpc.status.DEADLINE_EXCEEDED;
  return isAway ? Object.assign(new ServiceUnavailableError(), { cause: error }) : error;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function uncapitalize(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
