import { createServer, connect as open, type Socket } from 'node:net';
import { freePort } from '@parley/shared/embedded';

/** A proxy between a browser and the gateways, which can fail as networks do. */
export interface NetworkPath {
  readonly address: string;
  /** From now on there is no network; connections break. */
  cut(): void;
  /** The same, once so many bytes more were sent. Resolves then. */
  cutAfter(bytes: number): Promise<void>;
  /** Requests arrive, but their answers are lost. */
  loseAnswers(): void;
  restore(): void;
  close(): Promise<void>;
}

type State = 'whole' | 'cut' | 'without answers';

/** Connects to the first of these gateways that listens, as a load balancer does. */
export async function openPath(gateways: readonly string[]): Promise<NetworkPath> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let state: State = 'whole';
  let sent = 0;
  let limit: { bytes: number; reached: () => void } | null = null;
  const server = createServer((incoming) => {
    track(incoming, sockets);
    if (state === 'cut') incoming.destroy();
    else passOn(incoming, gateways, sockets, { state: () => state, count });
  });
  function count({ length }: Buffer): void {
    sent += length;
    if (!limit || sent < limit.bytes) return;
    cut();
    limit.reached();
    limit = null;
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  function cut(): void {
    state = 'cut';
    end();
  }
  return {
    address: `127.0.0.1:${port}`,
    cut,
    cutAfter(bytes) {
      return new Promise((reached) => {
        limit = { bytes: sent + bytes, reached };
      });
    },
    loseAnswers() {
      state = 'without answers';
    },
    restore() {
      state = 'whole';
      end();
    },
    close() {
      end();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function track(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  socket.on('error', () => socket.destroy());
}

interface Watch {
  state: () => State;
  count: (data: Buffer) => void;
}

function passOn(incoming: Socket, gateways: readonly string[], sockets: Set<Socket>, watch: Watch): void {
  const [first, ...others] = gateways;
  if (first === undefined) {
    incoming.destroy();
    return;
  }
  const [host, port] = first.split(':');
  const outgoing = open({ host: host as string, port: Number(port) });
  outgoing.once('error', () => outgoing.connecting || passOn(incoming, others, sockets, watch));
  outgoing.once('connect', () => {
    outgoing.removeAllListeners('error');
    track(outgoing, sockets);
    join(incoming, outgoing, watch);
  });
}

function join(incoming: Socket, outgoing: Socket, { state, count }: Watch): void {
  incoming.pipe(outgoing);
  incoming.on('data', count);
  outgoing.on('data', (data) => {
    if (state() === 'whole') incoming.write(data);
    else incoming.destroy();
  });
  incoming.on('close', () => outgoing.destroy());
  outgoing.on('close', () => incoming.destroy());
}
