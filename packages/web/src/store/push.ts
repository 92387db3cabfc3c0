import { signal } from '@preact/signals';
import { call } from '../api/call';
import { registerPushWorker } from '../api/worker-port';
import { read } from './model';
import { permission, requestPermission } from './notifications';

/** Whether the server notifies this browser while no tab is open, or why it does not. */
export type PushState =
  | 'unknown'
  /** Without TLS browsers offer nothing. */
  | 'insecure'
  | 'unsupported'
  /** The server does not push to browsers. */
  | 'unavailable'
  /** The person has told the browser to show no notifications. */
  | 'denied'
  /** The browser did not get an address from its push service. */
  | 'failed'
  | 'off'
  | 'on';

export const pushState = signal<PushState>('unknown');

const PATH = '/users/me/web_push_subscriptions';

interface Subscriptions {
  application_server_key: string | null;
  subscriptions: { endpoint: string }[];
}

const fetchSubscriptions = () => call<Subscriptions>('GET', PATH);

/** Finds out what the state is. */
export async function lookUpPush(): Promise<void> {
  pushState.value = limitOf() ?? (await stateOfServer());
}

/** What the browser does not allow; undefined: nothing is in the way. */
function limitOf(): PushState | undefined {
  if (!globalThis.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis)) {
    return 'unsupported';
  }
  return permission.value === 'denied' ? 'denied' : undefined;
}

async function stateOfServer(): Promise<PushState> {
  const [{ application_server_key: key, subscriptions }, own] = await Promise.all([fetchSubscriptions(), ownAddress()]);
  if (key === null) return 'unavailable';
  return subscriptions.some(({ endpoint }) => endpoint === own) ? 'on' : 'off';
}

async function ownAddress(): Promise<string | undefined> {
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription())?.endpoint;
}

/** Subscribes this browser. Called after a click: the browser asks the person first. */
export async function turnOnPush(): Promise<void> {
  await requestPermission();
  if (permission.value !== 'granted') return lookUpPush();
  const { application_server_key: key } = await fetchSubscriptions();
  if (key === null) return lookUpPush();
  const subscription = await subscribe(key);
  if (subscription === null) {
    pushState.value = 'failed';
    return;
  }
  await store(subscription);
  localStorage.setItem(OWNER, String(read().user_id));
  pushState.value = 'on';
}

/** Who has subscribed this browser: others who sign in there get no notifications until they ask for them. */
const OWNER = 'push-owner';

async function store(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys = {} } = subscription.toJSON();
  await call('POST', PATH, { endpoint, p256dh: keys['p256dh'], auth: keys['auth'] });
}

/** A subscription has ended with the session, and the same person is back. */
export async function renewPush(): Promise<void> {
  if (limitOf() !== undefined || localStorage.getItem(OWNER) !== String(read().user_id)) return;
  const worker = await navigator.serviceWorker.getRegistration();
  const subscription = await worker?.pushManager.getSubscription();
  if (!subscription) return;
  const { application_server_key: key, subscriptions } = await fetchSubscriptions();
  const isKnown = subscriptions.some(({ endpoint }) => endpoint === subscription.endpoint);
  if (!isKnown && key === keyOf(subscription)) await store(subscription);
}

/** Null: the browser's push service cannot be reached, or there is none. */
async function subscribe(key: string): Promise<PushSubscription | null> {
  const worker = await registerPushWorker();
  await navigator.serviceWorker.ready;
  const former = await worker.pushManager.getSubscription();
  if (former && keyOf(former) === key) return former;
  // It was made for a key that the server no longer has.
  await former?.unsubscribe();
  try {
    return await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch (error) {
    console.info(error);
    await worker.unregister();
    return null;
  }
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Ends the subscription, here and at the server. */
export async function turnOffPush(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration();
  const subscription = await worker?.pushManager.getSubscription();
  if (subscription) {
    const { subscriptions } = await fetchSubscriptions();
    const isKnown = subscriptions.some(({ endpoint }) => endpoint === subscription.endpoint);
    if (isKnown) await call('DELETE', PATH, { endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  }
  await worker?.unregister();
  localStorage.removeItem(OWNER);
  pushState.value = 'off';
}
