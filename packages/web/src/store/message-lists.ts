import type { PublicEvent } from '@parley/client-model/rules';
import { batch, effect, untracked } from '@preact/signals';
import { isPassing } from '../api/call';
import { type Conversation, hasMessages, isSameNarrow, type Narrow, type Place } from '../narrow/narrow';
import { moveWriting } from './composing';
import { keepSoon } from './drafts';
import { findAmong, followFound } from './found-lists';
import { lists, MessageList, shownIds } from './message-list';
import { belongsTo, deletedIn, distrust, forgetOthers, type Message, message, messageNow } from './messages';
import { isReady, link, onEvent } from './model';
import { isVisible, moveTo, place } from './place';

export { belongsTo, type Message, message, narrowOf, otherIds, type Reaction } from './messages';

const KEPT_LISTS = 12;

/** The list of a place: the one that is open already, or a new one. */
export function listAt({ narrow, nearId }: Place): MessageList {
  const former = lists.find((list) => isSameNarrow(list.narrow, narrow));
  const hasIt = former && (nearId === undefined || former.nearId === nearId || former.ids.value.includes(nearId));
  const isCurrent = former && !former.isOutOfDate && !former.isStale;
  if (isCurrent && hasIt) return former;
  const isKept = former?.isOutOfDate ? former.isShown : former?.isStale;
  const isContinued = isKept && (nearId === undefined || nearId === former?.nearId);
  const list = new MessageList(narrow, isContinued ? undefined : nearId, isContinued ? former : undefined);
  lists.unshift(list);
  if (former) lists.splice(lists.indexOf(former), 1);
  lists.splice(KEPT_LISTS);
  void list.open();
  return list;
}

// Messages are requested before their view is drawn.
effect(() => {
  const at = place.value;
  if (isReady.value && hasMessages(at.narrow) && isVisible(at.narrow)) untracked(() => listAt(at));
});

// What could not be fetched without a network is there with it.
effect(() => {
  if (link.value === 'up') untracked(retryShown);
});
addEventListener('online', retryShown);

function retryShown(): void {
  for (const list of lists) if (list.isShown && isPassing(list.error.value)) void list.retry();
}

/** Messages that came since the last turn: many at once after sleep, which lists take together. */
let arrived: Message[] = [];

onEvent((event) => {
  if (event.type === 'message') arrive((event['message'] as Message).id);
  if (event.type === 'delete_message') {
    takeArrived();
    const ids = new Set(deletedIn(event));
    for (const list of lists) list.drop(ids);
  }
  if (event.type === 'update_message' && event['propagate_mode'] !== undefined) {
    takeArrived();
    takeMoved(event);
  }
  for (const list of lists) followFound(list, event);
  renew(openedBy(event));
});

/** Channels that the person comes to, or back to: they see messages there that no event brings. */
function openedBy(event: PublicEvent): readonly number[] {
  const isOpened = event.type === 'subscription' ? event['op'] === 'add' : event['op'] === 'create';
  const opened = isOpened && (event['subscriptions'] ?? (event.type === 'stream' && event['streams']));
  return opened ? (opened as { stream_id: number }[]).map(({ stream_id: id }) => id) : [];
}

function renew(channelIds: readonly number[]): void {
  if (channelIds.length === 0) return;
  distrust(channelIds);
  for (const list of lists) {
    const { narrow } = list;
    const isOfOther = 'channelId' in narrow && !channelIds.includes(narrow.channelId);
    if (isOfOther || narrow.kind === 'direct') continue;
    if (!isSameNarrow(narrow, place.value.narrow)) list.isStale = true;
    else if ('channelId' in narrow) void list.refresh();
  }
}

function arrive(id: number): void {
  const each = messageNow(id);
  if (!each) return;
  if (arrived.length === 0) queueMicrotask(takeArrived);
  arrived.push(each);
}

function takeArrived(): void {
  const news = arrived;
  arrived = [];
  if (news.length === 0) return;
  const newIds = news.map(({ id }) => id);
  batch(() => {
    for (const list of lists) {
      list.append(news.filter((each) => belongsTo(list.narrow, each)).map(({ id }) => id));
      if (list.narrow.kind === 'search') void findAmong(list, newIds);
    }
    forgetOthers(shownIds);
  });
}

/** Messages leave the lists to which they belong no longer; lists to which they came are fetched again. */
function takeMoved(event: PublicEvent): void {
  const ids = event['message_ids'] as number[];
  const channelId = (event['new_stream_id'] ?? event['stream_id']) as number;
  const topic = (event['subject'] ?? event['orig_subject']) as string;
  const to: Conversation = { kind: 'topic', channelId, topic };
  const from: Conversation = {
    kind: 'topic',
    channelId: event['stream_id'] as number,
    topic: event['orig_subject'] as string,
  };
  for (const list of lists) {
    const moved = ids.filter((id) => {
      const each = messageNow(id);
      return each && belongsTo(list.narrow, each) === false;
    });
    const before = list.ids.value.length;
    list.drop(new Set(moved));
    // Before the first page has come, the mode says it.
    const isUnknown = before === 0 && !list.hasNewest.value;
    const wasWhole = isUnknown
      ? isSameNarrow(list.narrow, from) && event['propagate_mode'] === 'change_all'
      : before > 0 && list.ids.value.length === 0;
    if (wasWhole) goAlong(list.narrow, to);
    const isThere =
      isSameNarrow(list.narrow, to) ||
      (list.narrow.kind === 'channel' && event['new_stream_id'] === list.narrow.channelId);
    if (isThere) void list.refresh();
  }
}

/** The view follows a conversation that was moved as a whole, and so does what is written there. */
function goAlong(from: Narrow, to: Conversation): void {
  batch(() => {
    const writing = from.kind === 'topic' ? moveWriting(from, to) : null;
    if (writing) keepSoon(writing);
    if (isSameNarrow(place.value.narrow, from)) moveTo(to);
  });
}

export function messagesOf(ids: readonly number[]): Message[] {
  return ids.map(message).filter((each): each is Message => each !== undefined);
}
