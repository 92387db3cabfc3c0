import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect } from 'preact/hooks';
import { ApiError, call } from '../../api/call';
import { rightsOver } from '../../store/message-rights';
import type { Message } from '../../store/messages';
import { read } from '../../store/model';
import { mayPostIn } from '../../store/rights';
import { topicsOf } from '../../store/topics';
import { texts } from '../../texts/texts';
import { confirm, Dialog, showDialog } from '../base/dialog';
import { attempt, say, wordsOf } from '../base/notices';

/** Moves a message, or more of its topic, to another topic or channel. */
export function showMove(each: Message): void {
  showDialog((close) => <MoveDialog message={each} close={close} />);
}

const MODES = ['change_one', 'change_later', 'change_all'] as const;
type Mode = (typeof MODES)[number];

interface Move {
  channelId: Signal<number>;
  topic: Signal<string>;
  mode: Signal<Mode>;
  tellsOld: Signal<boolean>;
  tellsNew: Signal<boolean>;
}

function MoveDialog({ message: each, close }: { message: Message; close: () => void }) {
  const move: Move = {
    channelId: useSignal(each.stream_id as number),
    topic: useSignal(each.subject),
    mode: useSignal<Mode>('change_all'),
    tellsOld: useSignal(false),
    tellsNew: useSignal(true),
  };
  const t = texts.value;
  const { mayMoveToTopic, mayMoveToChannel } = rightsOver(each, Date.now() / 1_000);
  const mayMove = mayMoveToTopic || mayMoveToChannel;
  // A channel may be archived meanwhile: the message's, or the one that was chosen.
  useEffect(() => {
    if (mayMove) return;
    say(t.mayNoLongerMove, true);
    close();
  }, [mayMove]);
  const isSame = move.channelId.value === each.stream_id && move.topic.value.trim() === each.subject;
  const submit = async (event: Event) => {
    event.preventDefault();
    if (await attempt(() => send(each, move))) close();
  };
  return (
    <Dialog title={t.move} messageId={each.id} close={close}>
      <form class="form" onSubmit={submit}>
        {mayMoveToChannel && <ChannelField channelId={move.channelId} ownId={each.stream_id as number} />}
        {mayMoveToTopic && <TopicField move={move} />}
        <ModeField mode={move.mode} />
        <Choice label={t.noticeInNew} of={move.tellsNew} />
        <Choice label={t.noticeInOld} of={move.tellsOld} />
        <footer>
          <button type="submit" class="main" disabled={isSame}>
            {t.move}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Resolves to false if the person does not want it after all. */
async function send(each: Message, move: Move): Promise<boolean> {
  const { channelId, topic, mode, tellsOld, tellsNew } = move;
  const change = {
    ...(channelId.value !== each.stream_id && { stream_id: channelId.value }),
    ...(topic.value.trim() !== each.subject && { topic: topic.value.trim() }),
    send_notification_to_old_thread: tellsOld.value,
    send_notification_to_new_thread: tellsNew.value,
  };
  try {
    await call('PATCH', `/messages/${each.id}`, { ...change, propagate_mode: mode.value });
    return true;
  } catch (error) {
    const isTooMuch = error instanceof ApiError && error.code === 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED';
    const firstId = isTooMuch && error.fields['first_message_id_allowed_to_move'];
    if (typeof firstId !== 'number') throw error;
    const { move: title, moveNewer } = texts.value;
    if (!(await confirm(title, await wordsOf(error), moveNewer))) return false;
    await call('PATCH', `/messages/${firstId}`, { ...change, propagate_mode: 'change_later' });
    return true;
  }
}

function ChannelField({ channelId, ownId }: { channelId: Signal<number>; ownId: number }) {
  const { subscriptions } = read('channels', 'people');
  const channels = subscriptions
    .filter((each) => each.stream_id === ownId || mayPostIn(each))
    .sort((a, b) => a.name.localeCompare(b.name));
  const isThere = channels.some(({ stream_id: id }) => id === channelId.value);
  // Before it is drawn: no channel would be chosen until then.
  useLayoutEffect(() => {
    if (!isThere) channelId.value = ownId;
  }, [isThere]);
  return (
    <label>
      {texts.value.channel}
      <select value={channelId.value} onChange={({ currentTarget }) => (channelId.value = Number(currentTarget.value))}>
        {channels.map(({ stream_id: id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function TopicField({ move: { channelId, topic } }: { move: Move }) {
  const listId = useId();
  const known = topicsOf(channelId.value) ?? [];
  return (
    <label>
      {texts.value.topic}
      <input
        list={listId}
        value={topic.value}
        placeholder={texts.value.generalChat}
        maxLength={read('settings').max_topic_length}
        onInput={({ currentTarget }) => (topic.value = currentTarget.value)}
      />
      <datalist id={listId}>
        {known.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}

function ModeField({ mode }: { mode: Signal<Mode> }) {
  return (
    <fieldset>
      <legend>{texts.value.moveWhat}</legend>
      {MODES.map((each) => (
        <label key={each} class="choice">
          <input type="radio" name="mode" checked={mode.value === each} onChange={() => (mode.value = each)} />
          {texts.value.moveModes[each]}
        </label>
      ))}
    </fieldset>
  );
}

function Choice({ label, of }: { label: string; of: Signal<boolean> }) {
  return (
    <label class="choice">
      <input type="checkbox" checked={of.value} onChange={({ currentTarget }) => (of.value = currentTarget.checked)} />
      {label}
    </label>
  );
}
