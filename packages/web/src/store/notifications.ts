import type { PublicEvent } from '@parley/client-model/rules';
import { signal } from '@preact/signals';
import { trusted } from '../api/trusted';
import { narrowKey } from '../narrow/narrow';
import { claim, claimAtOnce } from './claims';
import { belongsTo, type Message, narrowOf } from './messages';
import { channelName, onEvent, read, subscription } from './model';
import { waysOf } from './notification-rules';
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

/** Notifies of new messages as the person has set it. */
export function followNotifications(): void {
  onEvent((event) => {
    if (event.type === 'message') void notify(event);
    if (event.type === 'update_message_flags' && event['flag'] === 'read') closeAll(event['messages'] as number[]);
    if (event.type === 'delete_message') closeAll(event['message_ids'] as number[]);
  });
}

async function notify(event: PublicEvent): Promise<void> {
  const message = event['message'] as Message;
  const ways = waysOfMessage(message, (event['flags'] ?? []) as string[]);
  if (!ways.desktop && !ways.sound) return;
  if (isOnScreen(message)) return claimAtOnce(message.id);
  if (!(await claim(message.id))) return;
  if (ways.desktop) show(message);
  if (ways.sound) await playSound(String(read().user_settings['notification_sound']));
}

function waysOfMessage(message: Message, flags: readonly string[]) {
  const { user_id: own, user_settings: settings, muted_users: muted } = read();
  const { stream_id: channelId, subject, sender_id: senderId } = message;
  return waysOf({
    ...{ isOwn: senderId === own, isDirect: channelId === undefined, flags, settings },
    isSenderMuted: muted.some(({ id }) => id === senderId),
    channel: channelId === undefined ? undefined : subscription(channelId),
    topicPolicy: channelId === undefined ? POLICY.none : policyOf(channelId, subject),
  });
}

/** Whether the person has it before their eyes in this tab. */
function isOnScreen(message: Message): boolean {
  return document.hasFocus() && !document.hidden && belongsTo(place.value.narrow, message) === true;
}

function show(message: Message): void {
  if (permission.value !== 'granted') return;
  const { user_settings: settings, realm_name: realmName } = read();
  const isHidden = message.stream_id === undefined && settings['pm_content_in_desktop_notifications'] !== true;
  const narrow = narrowOf(message);
  try {
    const notification = new Notification(titleOf(message), {
      body: isHidden ? realmName : textOf(message.content),
      icon: message.avatar_url ?? `/avatar/${message.sender_id}`,
      // One for each conversation: the newest.
      tag: narrowKey(narrow),
      silent: true,
    });
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

function closeAll(messageIds: readonly number[]): void {
  for (const id of messageIds) shown.get(id)?.close();
}
