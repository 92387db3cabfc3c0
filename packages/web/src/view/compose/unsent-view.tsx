import { Clock, MessageSquareText, Pencil, SendHorizontal, Trash2 } from 'lucide';
import { ApiError, call } from '../../api/call';
import { serverNowMs } from '../../api/server-time';
import { type Conversation, UNSENT_KINDS, type UnsentKind } from '../../narrow/narrow';
import { conversationOf, targetOfDraft, write } from '../../store/composing';
import { deleteDraft, restore } from '../../store/drafts';
import { type Reminder, read, type ScheduledMessage, type StoredDraft } from '../../store/model';
import { addressOf, go, isVisible } from '../../store/place';
import { texts } from '../../texts/texts';
import { IconButton } from '../base/icon';
import { attempt, say, wordsOf } from '../base/notices';
import { titleOf } from '../base/titles';
import { Content } from '../messages/content';
import { shortTimeOf } from '../messages/times';
import { barTo } from './sending';
import { askTime } from './time-dialog';

/** One's own messages that are not sent yet. */
export function UnsentView({ kind }: { kind: UnsentKind }) {
  const { drafts, scheduled_messages, reminders } = read('writing', 'people', 'channels');
  const rows = {
    drafts: drafts.map((each) => <DraftRow key={each.id} draft={each} />),
    scheduled: scheduled_messages.map((each) => <ScheduledRow key={each.scheduled_message_id} message={each} />),
    reminders: reminders.map((each) => <ReminderRow key={each.reminder_id} reminder={each} />),
  }[kind];
  return (
    <section class="unsent">
      <header class="place">
        <h1>{titleOf({ kind })}</h1>
        <nav aria-label={texts.value.unsent}>
          {UNSENT_KINDS.map((each) => (
            <a key={each} href={addressOf({ kind: each })} aria-current={each === kind ? 'page' : undefined}>
              {texts.value[each]}
            </a>
          ))}
        </nav>
      </header>
      {rows.length === 0 ? <p class="notice">{texts.value.nothingUnsent[kind]}</p> : <ul>{rows}</ul>}
    </section>
  );
}

function DraftRow({ draft }: { draft: StoredDraft }) {
  const { continueDraft, deleteDraft: remove, undone } = texts.value;
  const target = targetOfDraft(draft);
  const conversation = conversationOf(target);
  const isKnown = conversation && isVisible(conversation);
  const goOn = () => void restore(draft, barTo(target) === null);
  const drop = async () => {
    const isDone = await attempt(() => deleteDraft(draft.id).then(() => true));
    if (isDone) say(undone);
  };
  return (
    <li>
      <RowHead conversation={isKnown ? conversation : null} at={draft.timestamp} />
      <button type="button" class="draft-text" dir="auto" onClick={goOn}>
        {draft.content}
      </button>
      <span class="row-buttons">
        <IconButton of={Pencil} label={continueDraft} onClick={goOn} />
        <IconButton of={Trash2} label={remove} onClick={() => void drop()} />
      </span>
    </li>
  );
}

function RowHead({ conversation, at }: { conversation: Conversation | null; at: number }) {
  const date = new Date(at * 1_000);
  return (
    <h2>
      {conversation ? titleOf(conversation) : texts.value.unaddressed}
      <time dateTime={date.toISOString()}>{shortTimeOf(date)}</time>
    </h2>
  );
}

function ScheduledRow({ message }: { message: ScheduledMessage }) {
  const { changeTime, editScheduled, sendNow, deleteIt, sendingFailed } = texts.value;
  const { scheduled_message_id: id, scheduled_delivery_timestamp: at } = message;
  const path = `/scheduled_messages/${id}`;
  const move = (date: Date) =>
    void attempt(() => call('PATCH', path, { scheduled_delivery_timestamp: Math.floor(date.getTime() / 1_000) }));
  return (
    <li>
      <RowHead conversation={conversationOf(targetOf(message))} at={at} />
      {message.failed && <p role="alert">{sendingFailed}</p>}
      <Content html={message.rendered_content} />
      <span class="row-buttons">
        <IconButton of={Pencil} label={editScheduled} onClick={() => void takeBack(message)} />
        <IconButton
          of={Clock}
          label={changeTime}
          onClick={() => askTime(changeTime, changeTime, move, true, new Date(at * 1_000))}
        />
        <IconButton of={SendHorizontal} label={sendNow} onClick={() => void sendAtOnce(message)} />
        <IconButton of={Trash2} label={deleteIt} onClick={() => void attempt(() => call('DELETE', path))} />
      </span>
    </li>
  );
}

function targetOf({ type, to, topic = '' }: ScheduledMessage) {
  return targetOfDraft({ type, to: [to].flat(), topic });
}

/** It is written on in its conversation, and scheduled or sent from there. */
async function takeBack(message: ScheduledMessage): Promise<void> {
  const conversation = conversationOf(targetOf(message));
  if (!conversation) return;
  const removing = call('DELETE', `/scheduled_messages/${message.scheduled_message_id}`);
  const failure = await removing.then(
    () => null,
    (error: unknown) => error,
  );
  if (failure) say(await wordsOf(failure), true);
  // Without an answer it may be gone: the text is rather there twice than lost.
  if (!(failure instanceof ApiError)) write(message.content, conversation);
}

/** Beyond a second, so that the request comes in time. */
const AT_ONCE_SECONDS = 2;

/** Its time is changed to the next moment: it is sent once, also if it becomes due meanwhile or the page is left. */
async function sendAtOnce({ scheduled_message_id: id }: ScheduledMessage): Promise<void> {
  const scheduled_delivery_timestamp = Math.floor(serverNowMs() / 1_000) + AT_ONCE_SECONDS;
  await attempt(() => call('PATCH', `/scheduled_messages/${id}`, { scheduled_delivery_timestamp }));
}

function ReminderRow({ reminder }: { reminder: Reminder }) {
  const { openMessage, deleteIt } = texts.value;
  const { reminder_id: id, reminder_target_message_id: messageId, scheduled_delivery_timestamp: at } = reminder;
  const date = new Date(at * 1_000);
  return (
    <li>
      <h2>
        <time dateTime={date.toISOString()}>{shortTimeOf(date)}</time>
      </h2>
      <Content html={reminder.rendered_content} />
      <span class="row-buttons">
        <IconButton of={MessageSquareText} label={openMessage} onClick={() => go({ kind: 'feed' }, messageId)} />
        <IconButton
          of={Trash2}
          label={deleteIt}
          onClick={() => void attempt(() => call('DELETE', `/reminders/${id}`))}
        />
      </span>
    </li>
  );
}
