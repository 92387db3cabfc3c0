import type { PublicEvent } from '@parley/client-model/rules';
import { effect, signal } from '@preact/signals';
import { trusted } from '../api/trusted';
import { hashOf } from '../narrow/address';
import { narrowKey } from '../narrow/narrow';
import { claim, claimAtOnce } from './claims';
import { fetchMessage } from './fetch-message';
import { KnownMentions } from './known-mentions';
import { belongsTo, type Message, messageNow, narrowOf } from './messages';
import { channelName, isReady, onEvent, read, registration, subscription } from './model';
import { type Ways, waysOf } from './notification-rules';
import { go, place } from './place';
import { playSound } from './sounds';
import { POLICY, policyOf } from './topic-policies';

const hasNotifications = 'Notification' in globalThis && globalThis.isSecureContext;

/** Whether the browser shows notifications; `missing`: it cannot, e.g. without TLS. */
export const permission = signal<NotificationPermission | 'missing'>(
  hasNotifications ? Notification.permission : 'missing',
);

/** Asks the person, which browsers do after a click only. */
export async function requestPermission(): Promise<void> {
  permission.value = await Notification.requestPermission();
}

/** Shown notifications by message, so that they go when the message is read elsewhere. */
const shown = new Map<number, Notification>();

/** The service worker, if this browser gets pushes. */
const findWorker = async () => (hasNotifications ? navigator.serviceWorker?.getRegistration() : undefined);

/** What notifications of the service worker are about: see push-worker.ts. */
interface PushData {
  path: string;
  ids: number[];
}

const mentions = new KnownMentions();

/** Notifies of new messages, and of mentions by edits, as the person has set it. */
export function followNotifications(): void {
  onEvent((event) => {
    if (event.type === 'message') void notify(event);
    const change = mentions.take(event);
    if (change === 'added') void notifyOfEdit(event);
    if (change === 'removed') void takeBack(event);
    if (event.type === 'update_message_flags' && event['flag'] === 'read') void closeAll(event['messages'] as number[]);
    if (event.type === 'delete_message') void closeAll(event['message_ids'] as number[]);
  });
  effect(() => {
    if (isReady.value) void renewPush();
  });
  effect(() => {
    if (registration.value > 0) mentions.begin(read().unread_msgs.mentions);
  });
  // A notification of the service worker was clicked.
  if (hasNotifications) {
    navigator.serviceWorker?.addEventListener('message', ({ data }) => {
      if (data.kind === 'open') location.hash = new URL(data.path, location.href).hash;
    });
  }
}

/** What a browser needs that gets no pushes is not loaded. */
async function renewPush(): Promise<void> {
  if (await findWorker()) await (await import('./push')).renewPush();
}

async function notify(event: PublicEvent): Promise<void> {
  // Events have the flags beside the message.
  const flags = (event['flags'] ?? []) as string[];
  const message = { ...(event['message'] as Message), flags };
  const ways = waysOfMessage(message, flags);
  if (!ways.desktop && !ways.sound) return;
  if (isOnScreen(message)) return claimAtOnce(message.id);
  if (await claim(message.id)) await tell(message, ways);
}

async function tell(message: Message, ways: Ways): Promise<void> {
  if (ways.desktop) await show(message);
  if (ways.sound) await playSound(String(read().user_settings['notification_sound']));
}

/** A direct message concerns the same people before. */
async function notifyOfEdit(event: PublicEvent): Promise<void> {
  const { message_id: id, edit_timestamp: at, stream_id: channelId } = event;
  const flags = (event['flags'] as string[]).filter((flag) => flag !== 'has_alert_word');
  if (channelId === undefined || flags.includes('read')) return;
  const known = messageNow(id as number);
  if (known && isOnScreen(known)) return claimAtOnce(`${id}/${at}`);
  if (!(await claim(`${id}/${at}`))) return;
  const message = known ?? (await found(id as number));
  if (message) await tell(message, waysOfMessage(message, flags, true));
}

/** An edit that mentions the person no longer takes the notification back, unless the message notifies anyway. */
async function takeBack({ message_id, flags }: PublicEvent): Promise<void> {
  const id = message_id as number;
  if (!shown.has(id) && !(await findWorker())) return;
  const message = messageNow(id) ?? (await found(id));
  if (message && !waysOfMessage(message, flags as string[]).desktop) await closeAll([id]);
}

/** Undefined: it is gone, or there is no network. */
function found(id: number): Promise<Message | undefined> {
  return fetchMessage(id).catch(() => undefined);
}

function waysOfMessage(message: Message, flags: readonly string[], isEdited = false) {
  const { user_id: own, user_settings: settings, muted_users: muted } = read();
  const { stream_id: channelId, subject, sender_id: senderId } = message;
  return waysOf({
    ...{ isOwn: senderId === own, isDirect: channelId === undefined, flags, isEdited, settings },
    isSenderMuted: muted.some(({ id }) => id === senderId),
    channel: channelId === undefined ? undefined : subscription(channelId),
    topicPolicy: channelId === undefined ? POLICY.none : policyOf(channelId, subject),
  });
}

/** Whether the person has it before their eyes in this tab. */
function isOnScreen(message: Message): boolean {
  return document.hasFocus() && !document.hidden && belongsTo(place.value.narrow, message) === true;
}

async function show(message: Message): Promise<void> {
  if (permission.value !== 'granted') return;
  const { user_settings: settings, realm_name: realmName } = read();
  const isHidden = message.stream_id === undefined && settings['pm_content_in_desktop_notifications'] !== true;
  const options = {
    body: isHidden ? realmName : bodyOf(message),
    icon: message.avatar_url ?? `/avatar/${message.sender_id}`,
    silent: true,
  };
  const worker = await findWorker();
  if (worker) await alone(() => showByWorker(worker, message, options));
  else showAlone(message, options);
}

/** The list of the worker's notifications is read and changed by one at a time: see push-worker.ts. */
const alone = (work: () => Promise<void>): Promise<void> => navigator.locks.request('notifications', work);

/** The push about the message replaces it, without a sound. */
async function showByWorker(
  worker: ServiceWorkerRegistration,
  message: Message,
  options: NotificationOptions,
): Promise<void> {
  const tag = pushTagOf(message);
  const former = await worker.getNotifications({ tag });
  const ids = former.flatMap(({ data }) => (data as PushData | null)?.ids ?? []);
  const path = `/${hashOf({ narrow: narrowOf(message), nearId: message.id }, channelName)}`;
  await worker.showNotification(titleOf(message), { ...options, tag, data: { path, ids: [...ids, message.id] } });
}

/** As the server names notifications. */
function pushTagOf({ stream_id: channelId, subject, display_recipient: recipient }: Message): string {
  if (channelId !== undefined) return `channel/${channelId}/${subject.toLowerCase()}`;
  const ids = (recipient as { id: number }[]).map(({ id }) => id);
  return `dm/${ids.sort((a, b) => a - b).join(',')}`;
}

function showAlone(message: Message, options: NotificationOptions): void {
  const narrow = narrowOf(message);
  try {
    // One for each conversation: the newest.
    const notification = new Notification(titleOf(message), { ...options, tag: narrowKey(narrow) });
    notification.onclick = () => {
      window.focus();
      go(narrow, message.id);
      notification.close();
    };
    shown.set(message.id, notification);
    notification.onclose = () => shown.delete(message.id);
  } catch {
    // Browsers of phones allow notifications to service workers only.
  }
}

function titleOf({ sender_full_name: sender, stream_id: channelId, subject }: Message): string {
  if (channelId === undefined) return sender;
  return `${sender} – #${channelName(channelId)}${subject === '' ? '' : ` › ${subject}`}`;
}

/** What people say about themselves begins with their name. */
function bodyOf({ content, is_me_message: isAboutSender, sender_full_name: sender }: Message): string {
  const text = textOf(content);
  return isAboutSender ? text.replace(/^\/me (?=\S)/, () => `${sender} `) : text;
}

const LONGEST_TEXT = 300;
/** Spoilers, and the visual form of formulas beside the readable one. */
const LEFT_OUT = '.spoiler-content, .katex-html, .katex annotation';

function textOf(html: string): string {
  const { body } = new DOMParser().parseFromString(trusted.createHTML(html), 'text/html');
  for (const part of body.querySelectorAll(LEFT_OUT)) part.remove();
  const text = (body.textContent ?? '').trim() || fileNamesIn(body);
  return text.slice(0, LONGEST_TEXT);
}

/** The text for messages with pictures, films and sounds only. */
function fileNamesIn(body: HTMLElement): string {
  const links = [...body.querySelectorAll<HTMLElement>('a[href], audio[src], img[data-original-src]')];
  const names = links.map(({ title, dataset, attributes }) => {
    const address =
      dataset['originalSrc'] ?? (attributes.getNamedItem('href') ?? attributes.getNamedItem('src'))?.value;
    return title || (address ?? '').split('/').at(-1);
  });
  return names.join(', ');
}

async function closeAll(messageIds: readonly number[]): Promise<void> {
  for (const id of messageIds) shown.get(id)?.close();
  const worker = await findWorker();
  if (worker) await alone(() => closeRead(worker, new Set(messageIds)));
}

async function closeRead(worker: ServiceWorkerRegistration, read: ReadonlySet<number>): Promise<void> {
  for (const notification of await worker.getNotifications()) {
    const { ids = [] } = (notification.data as PushData | null) ?? {};
    if (ids.length > 0 && ids.every((id) => read.has(id))) notification.close();
  }
}
