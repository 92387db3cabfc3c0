import { useComputed, useSignal } from '@preact/signals';
import { ArrowDown, CheckCheck } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ApiError } from '../../api/call';
import { type Place, termsOf } from '../../narrow/narrow';
import { wordsOfTerms } from '../../narrow/search-words';
import { isMistaken } from '../../narrow/terms';
import type { MessageList } from '../../store/message-list';
import { messagesOf } from '../../store/message-lists';
import type { Match } from '../../store/message-pages';
import { deletedIn, isRead } from '../../store/messages';
import { onEvent } from '../../store/model';
import { names } from '../../store/names';
import { outgoingIn } from '../../store/outbox';
import { markAllRead, readsByScrolling } from '../../store/reading';
import { texts } from '../../texts/texts';
import { Icon } from '../base/icon';
import { attempt, ErrorWords } from '../base/notices';
import { titleOf } from '../base/titles';
import { OutgoingRows } from '../compose/outgoing-row';
import { Arrival } from './arrival';
import { ConversationHead, DayLine, UnreadLine } from './dividers';
import { itemsOf, type ListItem } from './list-items';
import { MessageRow } from './message-row';
import { useScrollPosition } from './scroll-position';
import { pointedId, select, selectedId } from './selection';

/** The messages of a list, as a window that is extended where the person scrolls to. */
export function MessageScroll({ list, at }: { list: MessageList; at: Place }) {
  const box = useRef<HTMLDivElement>(null);
  useScrollPosition(box, list);
  useNear(list, at);
  useNeighbor(list);
  useEffect(() => forget, []);
  return (
    <div class="scroll-frame">
      <div
        class="scroll"
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard.
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={titleOf(list.narrow)}
        onPointerLeave={forgetPointed}
      >
        <div class="lines">
          <Beginning list={list} />
          <Lines list={list} />
          <Outgoing list={list} />
        </div>
      </div>
      <Arrival list={list} />
      <Jumps list={list} />
    </div>
  );
}

function forget(): void {
  selectedId.value = null;
  forgetPointed();
}

function forgetPointed(): void {
  pointedId.value = null;
}

/** An address with a message goes to it, also when the list is open already. */
function useNear(list: MessageList, at: Place): void {
  const isFirst = useRef(true);
  useEffect(() => {
    const { nearId } = at;
    const isOpening = isFirst.current && list.nearId === nearId && list.jumps.value === 0;
    isFirst.current = false;
    if (nearId === undefined) return;
    selectedId.value = nearId;
    if (!isOpening) void list.show(nearId);
    // A list that is fetched anew stays where it is.
  }, [at]);
}

/** When the chosen message is deleted, the next one is chosen, and has the focus that was in it. */
function useNeighbor(list: MessageList): void {
  const chosen = useSignal<number | null>(null);
  useEffect(
    () =>
      onEvent((event) => {
        const lost = selectedId.peek();
        if (lost === null || !deletedIn(event).includes(lost)) return;
        const { value: ids } = list.ids;
        const next = ids.find((id) => id > lost) ?? ids.at(-1) ?? null;
        selectedId.value = next;
        chosen.value = next;
      }) as () => void,
    [list],
  );
  const id = chosen.value;
  useLayoutEffect(() => {
    if (id !== null && id === selectedId.peek() && document.activeElement === document.body) select(id);
  }, [id]);
}

/** Also says what is missing: while it is fetched, why it was not, or that there is nothing. */
function Beginning({ list }: { list: MessageList }) {
  const { nothingHere, nothingMatches, beginning, retry, loading } = texts.value;
  const { error, ids, hasOldest, hasNewest, isLoading } = list;
  const isEmpty = ids.value.length === 0;
  if (error.value !== null) {
    return (
      <p class="notice" role="alert">
        {isBadNarrow(error.value) ? mistakeIn(list) : <ErrorWords error={error.value} />}{' '}
        {!isBadNarrow(error.value) && (
          <button type="button" class="plain" onClick={() => void list.retry()}>
            {retry}
          </button>
        )}
      </p>
    );
  }
  if (isEmpty && hasNewest.value) {
    const nothing = list.narrow.kind === 'search' ? nothingMatches : nothingHere;
    return <p class="notice">{outgoingIn(list.narrow).length === 0 && nothing}</p>;
  }
  return <p class="beginning">{hasOldest.value ? beginning : isLoading.value && loading}</p>;
}

const isBadNarrow = (error: unknown) => error instanceof ApiError && error.code === 'BAD_NARROW';

/** What is wrong with a search that the server refuses. */
function mistakeIn({ narrow }: MessageList): string {
  const mistaken = termsOf(narrow).find(isMistaken);
  const { wrongCondition, wrongSearch } = texts.value;
  return mistaken ? wrongCondition(wordsOfTerms([mistaken], names)) : wrongSearch;
}

function Lines({ list }: { list: MessageList }) {
  const isWhole = list.narrow.kind === 'topic' || list.narrow.kind === 'direct';
  const items = useComputed(() =>
    itemsOf(messagesOf(list.ids.value), { isWhole, firstUnreadId: list.firstUnreadId.value }),
  ).value;
  const former = useRef<ReadonlyMap<string, DrawnLine>>(new Map());
  const lines = items.map((item) => {
    const key = `${item.kind}${item.id}`;
    const match = list.matches.get(item.id);
    const known = former.current.get(key);
    if (known?.match === match && known && isSameItem(known.item, item)) return known;
    return { key, item, match, line: <Line key={key} item={item} match={match} /> };
  });
  former.current = new Map(lines.map((each) => [each.key, each]));
  return lines.map(({ line }) => line);
}

/** Kept: only new lines are drawn when the list grows. */
interface DrawnLine {
  key: string;
  item: ListItem;
  match: Match | undefined;
  line: VNode;
}

const isSameItem = (a: ListItem, b: ListItem) =>
  a.kind !== 'message' || b.kind !== 'message' || a.isFollowing === b.isFollowing;

function Line({ item, match }: { item: ListItem; match: Match | undefined }) {
  if (item.kind === 'message') return <MessageRow id={item.id} isFollowing={item.isFollowing} match={match?.content} />;
  if (item.kind === 'day') return <DayLine id={item.id} />;
  return item.kind === 'unread' ? <UnreadLine /> : <ConversationHead id={item.id} match={match?.subject} />;
}

function Outgoing({ list }: { list: MessageList }) {
  const { length: count } = outgoingIn(list.narrow);
  const former = useRef(count);
  useEffect(() => {
    // Scroll to a message that the person has sent.
    if (count > former.current) void list.show('newest');
    former.current = count;
  }, [count]);
  if (!list.hasNewest.value) return null;
  return <OutgoingRows narrow={list.narrow} ids={list.ids.value} />;
}

/** Ways to the newest message, and to what is read where scrolling reads nothing. */
function Jumps({ list }: { list: MessageList }) {
  const { toNewest, markAllAsRead } = texts.value;
  const isReading = readsByScrolling(list.narrow);
  const hasUnread = useComputed(() => !isReading && messagesOf(list.ids.value).some((each) => !isRead(each))).value;
  const isAway = list.isFarFromEnd.value || (!list.hasNewest.value && list.ids.value.length > 0);
  return (
    <div class="jumps">
      {hasUnread && (
        <button type="button" onClick={() => void attempt(() => markAllRead(list.narrow))}>
          <Icon of={CheckCheck} /> {markAllAsRead}
        </button>
      )}
      {isAway && (
        <button type="button" title={toNewest} aria-label={toNewest} onClick={() => void list.show('newest')}>
          <Icon of={ArrowDown} />
        </button>
      )}
    </div>
  );
}
