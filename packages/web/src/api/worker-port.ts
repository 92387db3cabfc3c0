import { readToken } from './call';
import type { Request } from './live-worker';
import workerAddress from './live-worker.ts?sharedworker&url';

interface Policy {
  createScriptURL(address: string): string;
}

interface Factory {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
}

/** The service worker, see push-worker.ts. */
export const PUSH_WORKER = '/push-worker.js';

/** For these scripts only. Messages have a policy of their own, which is loaded later. */
const rules: Policy = {
  createScriptURL(address: string): string {
    if (address !== workerAddress && address !== PUSH_WORKER) throw new TypeError('another script');
    return address;
  },
};
const policy = (globalThis as Factory).trustedTypes?.createPolicy('parley-worker', rules) ?? rules;

/** Registers the service worker that shows what the server pushes. */
export function registerPushWorker(): Promise<ServiceWorkerRegistration> {
  return navigator.serviceWorker.register(policy.createScriptURL(PUSH_WORKER));
}

/** The worker that all tabs share; undefined where browsers have none. It registers while the rest of the client is still loaded. */
export const workerPort = typeof SharedWorker === 'undefined' ? undefined : start();

function start(): MessagePort {
  const { port } = new SharedWorker(policy.createScriptURL(workerAddress), { type: 'module', name: 'live' });
  port.postMessage({ kind: 'hello', token: readToken() } satisfies Request);
  return port;
}
