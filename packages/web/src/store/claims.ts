import { sharedClaim } from '../api/connect';
import type { ClaimId } from '../api/live-worker';

const KEY = 'notified';
const KEPT = 100;
/** Time that other tabs wait for the tab that shows the message, and then for each other. */
const WAIT_MS = 150;
const SPREAD_MS = 100;

/** Says at once that nobody needs to tell of a message: it is on the screen. */
export function claimAtOnce(id: ClaimId): void {
  void take(id);
}

/** Whether this is the tab that tells of a message: of several, one does. */
export async function claim(id: ClaimId): Promise<boolean> {
  await new Promise((goOn) => setTimeout(goOn, WAIT_MS + Math.random() * SPREAD_MS));
  return take(id);
}

function take(id: ClaimId): Promise<boolean> {
  const claimOnce = sharedClaim();
  if (claimOnce) return claimOnce(id);
  // Some browsers have no workers that tabs share; pages without TLS have no locks, and chance keeps their tabs apart.
  return navigator.locks ? navigator.locks.request(KEY, () => store(id)) : Promise.resolve(store(id));
}

function store(id: ClaimId): boolean {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    const ids = Array.isArray(stored) ? stored : [];
    if (ids.includes(id)) return false;
    localStorage.setItem(KEY, JSON.stringify([...ids, id].slice(-KEPT)));
  } catch {
    // There is no storage: each tab tells of it.
  }
  return true;
}
