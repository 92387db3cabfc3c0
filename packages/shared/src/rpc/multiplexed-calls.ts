import * as grpc from '@grpc/grpc-js';
import { decodeError, ServiceUnavailableError } from '../errors';
import { traceparent } from '../observability';
import { type JoinedCall, type JoinedCalls, type JoinedReplies, type JoinedReply, loadService } from '../proto';
import { type Call, type Caller, HOP_RESERVE_MS } from './call';
import type { Channels, ChannelUse } from './channels';
import { CallLostError } from './repeat-lost';

export type Method = grpc.MethodDefinition<unknown, unknown>;

/** Bounds a frame, together with the size of what is called so; what is over goes into the next one. */
const MAX_CALLS_PER_FRAME = 64;
/** A stream stays with one replica of a service: it is renewed so that calls spread over those that came since. */
export const STREAM_LIFETIME_MS = 30_000;
const EXPIRY_CHECK_MS = 50;

const JOINED = loadService('joined')['Call'] as grpc.MethodDefinition<JoinedCalls, JoinedReplies>;

interface MultiplexedCaller {
  /** Resolves with the response's bytes. */
  call(method: Method, call: Call | Caller, request: Buffer): Promise<Buffer>;
  close(): void;
}

interface Outgoing {
  method: Method;
  call: Call | Caller;
  /** Encoded. */
  request: Buffer;
  /** Of the call, not of the frame: that belongs to the traces of all that are in it, so it has none. */
  trace: string | undefined;
  /** What has come of a response that arrives in parts. */
  parts?: Buffer[];
  resolve(response: Buffer): void;
  reject(error: Error): void;
}

interface CallStream {
  isOpen: boolean;
  send(calls: Outgoing[]): void;
  cancel(): void;
}

/**
 * The client's side of `proto/joined.proto`: what is called in one turn of the event loop leaves as one frame, on a stream of
 * each channel in turn. Rejections are those of a call that goes by itself.
 */
export function multiplexCalls(channels: Channels, streamLifetimeMs: number): MultiplexedCaller {
  const streams = new Array<CallStream | undefined>(channels.count);
  let waiting: Outgoing[] = [];
  let turn = 0;
  let isClosed = false;

  function nextStream(): CallStream {
    turn = (turn + 1) % channels.count;
    const current = streams[turn];
    if (current?.isOpen) return current;
    const opened = openCallStream(channels.use(turn), streamLifetimeMs);
    streams[turn] = opened;
    return opened;
  }

  function flush(): void {
    const calls = waiting;
    waiting = [];
    if (isClosed) {
      // NOTE: such as reads that the closing has failed, and that are repeated.
      for (const { reject } of calls) reject(unavailable());
      return;
    }
    for (let from = 0; from < calls.length; from += MAX_CALLS_PER_FRAME) {
      nextStream().send(calls.slice(from, from + MAX_CALLS_PER_FRAME));
    }
  }

  return {
    call(method, call, request) {
      return new Promise((resolve, reject) => {
        const outgoing = { method, call, request, trace: traceparent(), resolve, reject };
        if (waiting.push(outgoing) === 1) setImmediate(flush);
      });
    },
    close() {
      isClosed = true;
      for (const stream of streams) stream?.cancel();
    },
  };
}

/** Calls wait for an unreachable service, each until its deadline; a stream that breaks fails the calls on it. */
function openCallStream({ channel, release }: ChannelUse, lifetimeMs: number): CallStream {
  const metadata = new grpc.Metadata({ waitForReady: true });
  const wire = channel.makeBidiStreamRequest(
    JOINED.path,
    JOINED.requestSerialize,
    JOINED.responseDeserialize,
    metadata,
  );
  const pending = new Map<number, Outgoing>();
  let lastNumber = 0;
  /** While there are calls that may expire. */
  let expiry: NodeJS.Timeout | undefined;

  const stream: CallStream = {
    isOpen: true,
    send(calls) {
      const frame: JoinedCall[] = [];
      for (const outgoing of calls) {
        pending.set(++lastNumber, outgoing);
        frame.push(toJoinedCall(outgoing, lastNumber));
      }
      expiry ??= setInterval(expire, EXPIRY_CHECK_MS).unref();
      wire.write({ calls: frame });
    },
    cancel() {
      retire();
      wire.cancel();
    },
  };

  /** Calls already sent are still answered. */
  function retire(): void {
    if (!stream.isOpen) return;
    stream.isOpen = false;
    wire.end();
  }

  function settle({ replies, isClosing }: JoinedReplies): void {
    for (const reply of replies) {
      const outgoing = pending.get(reply.number);
      if (outgoing === undefined) continue;
      if (reply.continues) {
        outgoing.parts ??= [];
        outgoing.parts.push(reply.response as Buffer);
        continue;
      }
      pending.delete(reply.number);
      answer(outgoing, reply);
    }
    if (isClosing) retire();
  }

  function failPending(cause?: Error): void {
    stream.isOpen = false;
    restExpiry();
    clearTimeout(lifetime);
    for (const { reject } of pending.values()) reject(new CallLostError(cause));
    pending.clear();
  }

  function restExpiry(): void {
    clearInterval(expiry);
    expiry = undefined;
  }

  function expire(): void {
    if (pending.size === 0) restExpiry();
    const now = Date.now();
    for (const [number, { call, reject }] of pending) {
      if (call.deadlineAt - HOP_RESERVE_MS > now) continue;
      pending.delete(number);
      reject(unavailable());
    }
  }

  const lifetime = setTimeout(retire, lifetimeMs).unref();
  wire.on('data', settle);
  wire.on('error', failPending);
  wire.on('end', failPending);
  wire.once('status', release);
  return stream;
}

function toJoinedCall({ method, call, request, trace }: Outgoing, number: number): JoinedCall {
  return {
    number,
    method: method.path,
    requestId: call.requestId,
    remainingMs: Math.max(0, call.deadlineAt - HOP_RESERVE_MS - Date.now()),
    ...('userId' in call && { realmId: call.realmId, userId: call.userId }),
    ...(call.clientAddress && { clientAddress: call.clientAddress }),
    ...(trace && { trace }),
    request,
  };
}

function answer({ method, parts, resolve, reject }: Outgoing, reply: JoinedReply): void {
  const { response, error } = reply;
  if (reply.isUnimplemented) reject(unavailable(new Error(`UNIMPLEMENTED: ${method.path}`)));
  else if (error !== undefined) reject(decodeError(error));
  else if (response === undefined) reject(new Error(`INTERNAL: ${method.path}`));
  else resolve(parts ? Buffer.concat([...parts, response as Buffer]) : (response as Buffer));
}

function unavailable(cause?: Error): Error {
  return Object.assign(new ServiceUnavailableError(), { cause });
}
