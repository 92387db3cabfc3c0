import { readToken } from './call';
import { type LiveNews, LiveSession } from './live-session';
import type { ClaimId, Request } from './live-worker';
import { workerPort } from './worker-port';

/** Follows the queue of this browser, shared with its other tabs where the browser can. */
export function connect(take: (news: LiveNews) => void): void {
  const hurry = workerPort ? followTogether(workerPort, take) : followAlone(take);
  addEventListener('online', hurry);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) hurry();
  });
}

/** Whether this tab is the first that names it. */
export type Claim = (id: ClaimId) => Promise<boolean>;

let askWorker: Claim | undefined;

/** Asks the worker that this browser's tabs share; undefined without one. */
export const sharedClaim = (): Claim | undefined => askWorker;

function followTogether(port: MessagePort, take: (news: LiveNews) => void): () => void {
  const say = (request: Request) => port.postMessage(request);
  port.onmessage = ({ data }: MessageEvent<LiveNews>) => {
    try {
      take(data);
    } catch (error) {
      // The worker's state is right: the tab takes it anew.
      console.error(error);
      if (data.kind === 'events') say({ kind: 'hello', token: readToken() });
    }
  };
  askWorker = (id) =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }: MessageEvent<boolean>) => resolve(data);
      port.postMessage({ kind: 'claim', id } satisfies Request, [port2]);
    });
  // A page that is taken out of the back-forward cache says hello again, and is told everything anew.
  addEventListener('pagehide', () => say({ kind: 'bye' }));
  addEventListener('pageshow', (event) => {
    if ((event as PageTransitionEvent).persisted) say({ kind: 'hello', token: readToken() });
  });
  return () => say({ kind: 'hurry', token: readToken() });
}

function followAlone(take: (news: LiveNews) => void): () => void {
  // Copies, because the session changes its state itself, too.
  const session = new LiveSession((news) => take(structuredClone(news)));
  void session.run();
  return () => session.hurry();
}
