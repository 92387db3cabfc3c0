import type { PollRequest, SharedPollReply } from '@parley/shared/proto';
import { connectRpc, isUnknownMethod, type RpcConnection, type TlsFiles } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import { openPollStream, type PollStream } from './poll-stream';

export interface PodOptions {
  address: string;
  tls?: TlsFiles | undefined;
  log: Logger;
  onConnected(): void;
  onReply(reply: SharedPollReply): void;
  /** The stream broke or ended: its polls must go to another pod. */
  onLost(pod: Pod): void;
}

/** Short, because closing a channel waits for it. */
const CONNECT_TIMEOUT_MS = 500;
/** Pause between two streams: a pod that stops refuses new ones before its connection ends. */
const REOPEN_AFTER_MS = 100;

/**
 * One events pod, and the stream that this gateway's polls share there. It connects at once and, until closed or retired, again
 * whenever the stream is lost.
 */
export class Pod {
  readonly address: string;
  readonly #options: PodOptions;
  readonly #connection: RpcConnection<'events'>;
  #stream: PollStream | undefined;
  #isOfEarlierVersion = false;
  #isRetired = false;
  #isClosed = false;

  constructor(options: PodOptions) {
    this.#options = options;
    this.address = options.address;
    this.#connection = connectRpc('events', options.address, options.tls);
    this.#connect();
  }

  get isConnected(): boolean {
    return this.#stream !== undefined && !this.#isRetired;
  }

  send(request: PollRequest): void {
    this.#stream?.send(request);
  }

  /** The pod is no longer listed: its stream serves as long as it lasts, and is not reopened. */
  retire(): void {
    this.#isRetired = true;
    if (!this.#stream) this.close();
  }

  close(): void {
    this.#isClosed = true;
    this.#stream?.cancel();
    this.#stream = undefined;
    this.#connection.close();
  }

  #connect(): void {
    if (this.#isClosed) return;
    this.#connection.raw.waitForReady(Date.now() + CONNECT_TIMEOUT_MS, (error) => {
      if (this.#isClosed) return;
      if (error) this.#connectSoon();
      else this.#open();
    });
  }

  /** Monotonic time. */
  #connectSoon(): void {
    setTimeout(() => this.#connect(), REOPEN_AFTER_MS).unref();
  }

  #open(): void {
    const opened = openPollStream(this.#connection, this.#isOfEarlierVersion, {
      onReply: this.#options.onReply,
      onEnd: (error) => this.#lose(opened, error),
    });
    this.#stream = opened;
    this.#options.onConnected();
  }

  #lose(lost: PollStream, error?: Error): void {
    if (this.#stream !== lost) return;
    // A later version may follow at the same address.
    this.#isOfEarlierVersion = isUnknownMethod(error);
    this.#stream = undefined;
    const { log, onLost } = this.#options;
    log.info({ address: this.address, reason: error?.message }, 'stream to an events pod has ended');
    lost.cancel();
    if (this.#isRetired) this.close();
    else this.#connectSoon();
    onLost(this);
  }
}
