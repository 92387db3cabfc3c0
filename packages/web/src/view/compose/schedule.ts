import { call, type Parameters } from '../../api/call';
import type { Conversation } from '../../narrow/narrow';
import { conversationOf, newMessage, type Writing } from '../../store/composing';
import { newLocalId } from '../../store/outbox';
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
  const key = keyOf(writing, parameters);
  if (!(await attempt(() => call('POST', '/scheduled_messages', parameters, { key })))) return;
  begun.delete(writing);
  // What was written meanwhile stays.
  if (writing.content.value.trim() === content) end(writing);
  if (writing.fixed === 'nothing') newMessage.value = null;
  say(texts.value.scheduledFor(shortTimeOf(at)));
}

function addressOf(conversation: Conversation) {
  if (conversation.kind === 'direct') return { type: 'direct', to: conversation.userIds };
  return { type: 'channel', to: conversation.channelId, topic: conversation.topic };
}

/** What is being scheduled, with the key of its calls. */
const begun = new WeakMap<Writing, { meaning: string; key: string }>();

/** Further clicks, and attempts after one without an answer, schedule the same message; what is written later is another one. */
function keyOf(writing: Writing, parameters: Parameters): string {
  const meaning = JSON.stringify(parameters);
  const known = begun.get(writing);
  if (known?.meaning === meaning) return known.key;
  const key = newLocalId();
  begun.set(writing, { meaning, key });
  return key;
}
