import { call } from '../../api/call';
import type { Conversation } from '../../narrow/narrow';
import { CallKey } from '../../store/call-key';
import { conversationOf, newMessage, type Writing } from '../../store/composing';
import { texts } from '../../texts/texts';
import { showMenu } from '../base/menu';
import { attempt, say } from '../base/notices';
import { shortTimeOf } from '../messages/times';
import { end, withoutForbiddenTopic } from './sending';
import { askTime } from './time-dialog';
import { laterTimes } from './times';

/** Lets the person choose when the message is sent. */
export function chooseTime(anchor: HTMLElement, writing: Writing): void {
  const t = texts.value;
  const quick = laterTimes(new Date()).map(({ name, at }) => ({
    label: `${t[name]} · ${shortTimeOf(at)}`,
    run: () => void schedule(writing, at),
  }));
  const other = () => askTime(t.schedule, t.schedule, (at) => void schedule(writing, at), true);
  showMenu(anchor, [...quick, { label: t.otherTime, run: other }]);
}

async function schedule(writing: Writing, at: Date): Promise<void> {
  const conversation = conversationOf(writing.target.value);
  const content = writing.content.value.trim();
  if (!conversation || content === '') return;
  const scheduled_delivery_timestamp = Math.floor(at.getTime() / 1_000);
  const parameters = { ...addressOf(withoutForbiddenTopic(conversation)), content, scheduled_delivery_timestamp };
  const key = keyOf(writing);
  const isDone = await attempt(() => call('POST', '/scheduled_messages', parameters, { key: key.of(parameters) }));
  if (!isDone) return;
  key.end();
  // What was written meanwhile stays.
  if (writing.content.value.trim() === content) end(writing);
  if (writing.fixed === 'nothing') newMessage.value = null;
  say(texts.value.scheduledFor(shortTimeOf(at)));
}

function addressOf(conversation: Conversation) {
  if (conversation.kind === 'direct') return { type: 'direct', to: conversation.userIds };
  return { type: 'channel', to: conversation.channelId, topic: conversation.topic };
}

const keys = new WeakMap<Writing, CallKey>();

/** What is written later is another message. */
function keyOf(writing: Writing): CallKey {
  const key = keys.get(writing) ?? new CallKey();
  keys.set(writing, key);
  return key;
}
