/// <reference lib="webworker" />
import { setToken } from './call';
import { LiveSession } from './live-session';

/** A message, or an edit of one. */
export type ClaimId = number | string;

/** Messages from a tab to the worker. */
export type Request =
  | { kind: 'hello' | 'hurry'; token: string }
  | { kind: 'bye' }
  /** Asks, on a port of its own, whether this is the first tab that names it. */
  | { kind: 'claim'; id: ClaimId };

declare const self: SharedWorkerGlobalScope;

// One for all tabs: a poll for each would take all of the connections that a browser has to a host.
const ports = new Set<MessagePort>();
let session: LiveSession | undefined;

self.onconnect = ({ ports: [port] }) => {
  if (!port) return;
  port.onmessage = ({ data, ports: [reply] }: MessageEvent<Request>) => {
    if (data.kind === 'bye') ports.delete(port);
    else if (data.kind === 'claim') reply?.postMessage(claim(data.id));
    else answer(port, data);
  };
};

const MOST_CLAIMED = 100;
const claimed = new Set<ClaimId>();

function claim(id: ClaimId): boolean {
  if (claimed.has(id)) return false;
  claimed.add(id);
  for (const oldest of claimed) if (claimed.size > MOST_CLAIMED) claimed.delete(oldest);
  return true;
}

function answer(port: MessagePort, { kind, token }: Extract<Request, { token: string }>): void {
  setToken(token);
  if (kind === 'hurry') session?.hurry();
  else join(port);
}

function join(port: MessagePort): void {
  ports.add(port);
  // The page of a tab that has just come was there: so is the server.
  session?.hurry();
  if (session) for (const news of session.present()) port.postMessage(news);
  else begin();
}

function begin(): void {
  const own = new LiveSession((news) => {
    for (const port of ports) port.postMessage(news);
  });
  session = own;
  void own.run().finally(() => {
    session = undefined;
  });
}
