import { call } from '../../api/call';
import { isSameNarrow } from '../../narrow/narrow';
import { write } from '../../store/composing';
import { startEdit } from '../../store/editing';
import { listAt } from '../../store/message-lists';
import { isResolved, toggled } from '../../store/message-rights';
import { type Message, narrowOf } from '../../store/messages';
import { read } from '../../store/model';
import { addressOf, place } from '../../store/place';
import { markUnreadFrom } from '../../store/reading';
import { texts } from '../../texts/texts';
import { copyText } from '../base/copy';
import { confirm } from '../base/dialog';
import { attempt, say } from '../base/notices';
import { quoteOf } from './quote';

/** The text as it was written. */
export async function rawContentOf({ id }: Message): Promise<string> {
  const { message } = await call<{ message: { content: string } }>('GET', `/messages/${id}`, { apply_markdown: false });
  return message.content;
}

export function star({ id, flags }: Message) {
  const op = flags.includes('starred') ? 'remove' : 'add';
  return attempt(() => call('POST', '/messages/flags', { messages: [id], op, flag: 'starred' }));
}

/** Writes to the conversation of the message. */
export function reply(each: Message): void {
  const narrow = narrowOf(each);
  write('', isSameNarrow(narrow, place.value.narrow) ? undefined : narrow);
}

/** The address that others can open, too. */
export function linkTo(each: Message): string {
  const { pathname, origin } = location;
  return `${origin}${pathname}${addressOf(narrowOf(each), each.id)}`;
}

export async function quoted(each: Message): Promise<string> {
  const content = await rawContentOf(each);
  const sender = { name: each.sender_full_name, userId: each.sender_id };
  return quoteOf(sender, linkTo(each), texts.value.said, content);
}

export async function quote(each: Message): Promise<void> {
  const text = await attempt(() => quoted(each));
  if (text === undefined) return;
  const narrow = narrowOf(each);
  write(text, isSameNarrow(narrow, place.value.narrow) ? undefined : narrow);
}

export function copyLink(each: Message) {
  return attempt(async () => {
    await copyText(linkTo(each));
    say(texts.value.linkCopied);
  });
}

export function copyContent(each: Message) {
  return attempt(async () => {
    await copyText(await rawContentOf(each));
    say(texts.value.copied);
  });
}

export async function beginEdit(each: Message): Promise<void> {
  const content = await attempt(() => rawContentOf(each));
  if (content !== undefined) startEdit(each.id, narrowOf(each), content);
}

export function toggleResolved({ id, subject }: Message) {
  const change = {
    topic: toggled(subject),
    propagate_mode: 'change_all',
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: true,
  };
  return attempt(() => call('PATCH', `/messages/${id}`, change)).then((answer) => {
    if (answer) say(isResolved(subject) ? texts.value.isUnresolved : texts.value.isResolved);
  });
}

export async function remove({ id }: Message): Promise<void> {
  const { deleteMessage, deleteQuestion, deleteIt } = texts.value;
  if (await confirm(deleteMessage, deleteQuestion, deleteIt, id))
    await attempt(() => call('DELETE', `/messages/${id}`));
}

export function markUnread({ id }: Message) {
  return attempt(async () => {
    await markUnreadFrom(place.value.narrow, id);
    listAt(place.value).firstUnreadId.value = id;
  });
}

export const isOwn = ({ sender_id }: Message) => sender_id === read().user_id;
