import * as grpc from '@grpc/grpc-js';
import { joinInSlices, Slices } from '../batch';
import { decodeError, ServiceUnavailableError } from '../errors';
import { traceparent } from '../observability';
import { type JoinedCall, type JoinedCalls, type JoinedReplies, type JoinedReply, loadService } from '../proto';
import { type Call, type Caller, HOP_RESERVE_MS, toConfirm } from './call';
import type { Channels, ChannelUse } from './channels';
import { CallLostError } from './repeat-lost';

export type Method = grpc.MethodDefinition<unknown, unknown>;

/** Maximum number of calls in a frame; further calls go into the next one. */
const MAX_CALLS_PER_FRAME = 64;
/** A stream stays with one replica of a service: it is renewed so that calls spread over newer replicas. */
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
  /** The call's trace; a frame has calls of several traces, so it has none. */
  trace: string | undefined;
  /** The received parts of a long response. */
  parts?: Buffer[];
  resolve(response: Buffer | Promise<Buffer>): void;
  reject(error: Error): void;
}

/**
 * The client's side of `proto/joined.proto`: calls of one turn of the event loop are sent as one frame, on the channels' streams
 * in turn. Errors are those of an ordinary unary call.
 */
export function multiplexCalls(channels: Channels, streamLifetimeMs: number): MultiplexedCaller {
  const streams = new StreamsInTurn(channels, streamLifetimeMs);
  let waiting: Outgoing[] = [];

  function flush(): void {
    const calls = waiting;
    waiting = [];
    streams.send(calls);
  }

  return {
    call(method, call, request) {
      return new Promise((resolve, reject) => {
        const outgoing = { method, call, request, trace: traceparent(), resolve, reject };
        if (waiting.push(outgoing) === 1) setImmediate(flush);
      });
    },
    close: () => streams.close(),
  };
}

/** A stream per channel, opened when it is first used. */
class StreamsInTurn {
  readonly #streams: (CallStream | undefined)[];
  #turn = 0;
  #isClosed = false;

  constructor(
    private readonly channels: Channels,
    private readonly lifetimeMs: number,
  ) {
    this.#streams = new Array<CallStream | undefined>(channels.count);
  }

  send(calls: readonly Outgoing[]): void {
    if (this.#isClosed) {
      // NOTE: for example reads that failed when the streams closed, and are repeated.
      for (const { reject } of calls) reject(unavailable());
      return;
    }
    for (let from = 0; from < calls.length; from += MAX_CALLS_PER_FRAME) {
      this.#sendFrame(calls.slice(from, from + MAX_CALLS_PER_FRAME));
    }
  }

  #sendFrame(calls: readonly Outgoing[]): void {
    try {
      this.#next().send(calls);
    } catch (error) {
      for (const { reject } of calls) reject(error as Error);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const stream of this.#streams) stream?.cancel();
  }

  #next(): CallStream {
    this.#turn = (this.#turn + 1) % this.channels.count;
    const current = this.#streams[this.#turn];
    if (current?.isOpen) return current;
    const opened = new CallStream(this.channels.use(this.#turn), this.lifetimeMs);
    this.#streams[this.#turn] = opened;
    return opened;
  }
}

/** Calls wait for an unreachable service, each until its deadline; a broken stream fails its calls. */
class CallStream {
  isOpen = true;
  readonly #wire: grpc.ClientDuplexStream<JoinedCalls, JoinedReplies>;
  readonly #pending = new Map<number, Outgoing>();
  #lastNumber = 0;
  /** Runs while there are calls that may expire. */
  #expiry: NodeJS.Timeout | undefined;
  readonly #lifetime: NodeJS.Timeout;

  constructor({ channel, release }: ChannelUse, lifetimeMs: number) {
    const metadata = new grpc.Metadata({ waitForReady: true });
    this.#wire = channel.makeBidiStreamRequest(
      JOINED.path,
      JOINED.requestSerialize,
      JOINED.responseDeserialize,
      metadata,
    );
    this.#lifetime = setTimeout(() => this.#retire(), lifetimeMs).unref();
    this.#wire.on('data', (replies: JoinedReplies) => this.#settle(replies));
    this.#wire.on('error', (error: Error) => this.#failPending(error));
    this.#wire.on('end', () => this.#failPending());
    this.#wire.once('status', release);
  }

  send(calls: readonly Outgoing[]): void {
    const frame: JoinedCall[] = [];
    for (const outgoing of calls) {
      this.#lastNumber += 1;
      this.#pending.set(this.#lastNumber, outgoing);
      frame.push(toJoinedCall(outgoing, this.#lastNumber));
    }
    this.#expiry ??= setInterval(() => this.#expire(), EXPIRY_CHECK_MS).unref();
    this.#wire.write({ calls: frame });
  }

  cancel(): void {
    this.#retire();
    this.#wire.cancel();
  }

  /** Calls already sent are still answered. */
  #retire(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#wire.end();
  }

  #settle({ replies, isClosing }: JoinedReplies): void {
    for (const reply of replies) {
      const outgoing = this.#pending.get(reply.number);
      if (outgoing === undefined) continue;
      if (reply.continues) {
        outgoing.parts ??= [];
        outgoing.parts.push(reply.response as Buffer);
        continue;
      }
      this.#pending.delete(reply.number);
      answer(outgoing, reply);
    }
    if (isClosing) this.#retire();
  }

  #failPending(cause?: Error): void {
    this.isOpen = false;
    this.#restExpiry();
    clearTimeout(this.#lifetime);
    for (const { reject } of this.#pending.values()) reject(new CallLostError(cause));
    this.#pending.clear();
  }

  #expire(): void {
    if (this.#pending.size === 0) this.#restExpiry();
    const now = Date.now();
    for (const [number, { call, reject }] of this.#pending) {
      if (call.deadlineAt - HOP_RESERVE_MS > now) continue;
      this.#pending.delete(number);
      reject(unavailable());
    }
  }

  #restExpiry(): void {
    clearInterval(this.#expiry);
    this.#expiry = undefined;
  }
}

/** NOTE: absent fields are undefined, not left out: all calls have one hidden class. */
function toJoinedCall({ method, call, request, trace }: Outgoing, number: number): JoinedCall {
  const caller = 'userId' in call ? call : undefined;
  const joined: { [Field in keyof JoinedCall]: JoinedCall[Field] | undefined } = {
    number,
    method: method.path,
    requestId: call.requestId,
    remainingMs: Math.max(0, call.deadlineAt - HOP_RESERVE_MS - Date.now()),
    realmId: caller?.realmId,
    userId: caller?.userId,
    clientAddress: call.clientAddress || undefined,
    trace,
    credential: toConfirm(call),
    request,
  };
  return joined as JoinedCall;
}

function answer({ method, call, parts, resolve, reject }: Outgoing, reply: JoinedReply): void {
  const { response, error } = reply;
  if (reply.isUnimplemented) reject(unavailable(new Error(`UNIMPLEMENTED: ${method.path}`)));
  else if (error !== undefined) reject(decodeError(error));
  else if (response === undefined) reject(new Error(`INTERNAL: ${method.path}`));
  else if (!parts) resolve(response as Buffer);
  else resolve(joinInSlices([...parts, response as Buffer], new Slices(call.deadlineAt)));
}

function unavailable(cause?: Error): Error {
  return Object.assign(new ServiceUnavailableError(), { cause });
}
