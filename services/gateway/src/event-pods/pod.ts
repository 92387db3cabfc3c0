import type { PollReply, PollRequest } from '@parley/shared/proto';
import { connectRpc, openStream, type RpcStream, type TlsFiles } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';

/** One events pod, and the one stream that this gateway's polls share there. */
export interface Pod {
  readonly address: string;
  readonly isConnected: boolean;
  send(request: PollRequest): void;
  /** Its name is gone from the list: the stream serves for as long as it lasts, and is not opened again. */
  retire(): void;
  close(): void;
}

export interface PodOptions {
  address: string;
  tls?: TlsFiles | undefined;
  log: Logger;
  onConnected(): void;
  onReply(reply: PollReply): void;
  /** The stream broke or ended: what it carried must go elsewhere. */
  onLost(pod: Pod): void;
}

/** Short, since a channel that is closed meanwhile waits until then. */
const CONNECT_TIMEOUT_MS = 500;
/** Between two streams: a pod that stops refuses new ones before its connection ends. */
const REOPEN_AFTER_MS = 100;

/** Connects at once and, until closed or retired, again whenever the stream is lost. */
export function createPod({ address, tls, log, onConnected, onReply, onLost }: PodOptions): Pod {
  const connection = connectRpc('events', address, tls);
  let stream: RpcStream<PollRequest, PollReply> | undefined;
  let isRetired = false;
  let isClosed = false;

  function connect(): void {
    if (isClosed) return;
    connection.raw.waitForReady(Date.now() + CONNECT_TIMEOUT_MS, (error) => {
      if (isClosed) return;
      if (error) connectSoon();
      else open();
    });
  }

  /** By the machine's time, whatever the time of day is said to be. */
  function connectSoon(): void {
    setTimeout(connect, REOPEN_AFTER_MS).unref();
  }

  function open(): void {
    const opened = openStream(connection, 'poll');
    opened.on('data', onReply);
    // NOTE: the listener stays for good: cancelling makes the stream report an error once more.
    opened.on('error', (error) => lose(opened, error));
    opened.on('end', () => lose(opened));
    stream = opened;
    onConnected();
  }

  function lose(lost: RpcStream<PollRequest, PollReply>, error?: Error): void {
    if (stream !== lost) return;
    stream = undefined;
    log.info({ address, reason: error?.message }, 'stream to an events pod has ended');
    lost.cancel();
    if (isRetired) close();
    else connectSoon();
    onLost(pod);
  }

  function close(): void {
    isClosed = true;
    stream?.cancel();
    stream = undefined;
    connection.close();
  }

  const pod: Pod = {
    address,
    get isConnected() {
      return stream !== undefined && !isRetired;
    },
    send: (request) => stream?.write(request),
    retire() {
      isRetired = true;
      if (!stream) close();
    },
    close,
  };
  connect();
  return pod;
}
