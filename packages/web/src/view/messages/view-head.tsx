import { BadgeCheck, CalendarSearch } from 'lucide';
import { useRef } from 'preact/hooks';
import { isSameNarrow } from '../../narrow/narrow';
import type { MessageList } from '../../store/message-list';
import { isResolved, rightsOver, toggled } from '../../store/message-rights';
import { type Message, messageNow, narrowOf } from '../../store/messages';
import { channel, read } from '../../store/model';
import { texts } from '../../texts/texts';
import { IconButton } from '../base/icon';
import { showPopover } from '../base/menu';
import { titleOf } from '../base/titles';
import { toggleResolved } from './message-actions';

/** The title of the view, and the actions on all of it. */
export function ViewHead({ list }: { list: MessageList }) {
  const { narrow } = list;
  read('channels', 'people');
  const description = narrow.kind === 'channel' ? channel(narrow.channelId)?.description : undefined;
  return (
    <header class="place">
      <h1>{titleOf(narrow)}</h1>
      {description && <p class="description">{description}</p>}
      <span class="place-actions">
        {narrow.kind === 'topic' && <ResolveButton list={list} topic={narrow.topic} />}
        <IconButton
          of={CalendarSearch}
          label={texts.value.toDate}
          onClick={({ currentTarget }) => showPopover(currentTarget, (close) => <DateForm list={list} close={close} />)}
        />
      </span>
    </header>
  );
}

function ResolveButton({ list, topic }: { list: MessageList; topic: string }) {
  const last = useLastOf(list);
  if (!last || !rightsOver(last, Date.now() / 1_000).mayResolve || toggled(topic) === topic) return null;
  const { resolve, unresolve } = texts.value;
  return (
    <IconButton
      of={BadgeCheck}
      label={isResolved(topic) ? unresolve : resolve}
      isPressed={isResolved(topic)}
      onClick={() => void toggleResolved(last)}
    />
  );
}

/** The newest message of a topic; while a topic that was renamed is fetched anew, one that went along, so that the button stays. */
function useLastOf({ ids, narrow }: MessageList): Message | undefined {
  const known = useRef<readonly number[]>([]);
  if (ids.value.length > 0) known.current = ids.value;
  const isHere = (id: number) => {
    const each = messageNow(id);
    return each !== undefined && isSameNarrow(narrowOf(each), narrow);
  };
  const lastId = known.current.findLast(isHere);
  return lastId === undefined ? undefined : messageNow(lastId);
}

function DateForm({ list, close }: { list: MessageList; close: () => void }) {
  const { toDate } = texts.value;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const day = new FormData(event.currentTarget as HTMLFormElement).get('day');
    close();
    if (typeof day === 'string' && day !== '') void list.show({ date: new Date(`${day}T00:00`).toISOString() });
  };
  return (
    <form class="date-form" onSubmit={submit}>
      <input type="date" name="day" required aria-label={toDate} />
      <button type="submit" class="main">
        {toDate}
      </button>
    </form>
  );
}
