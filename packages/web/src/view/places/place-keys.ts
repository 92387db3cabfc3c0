import { type Conversation, narrowKey } from '../../narrow/narrow';
import { channelGroups } from '../../store/channel-groups';
import { nextUnread, type UnreadConversation } from '../../store/count-unread';
import { messageNow } from '../../store/messages';
import { read } from '../../store/model';
import { go, homeNarrow, leavePage, place } from '../../store/place';
import { shownFolders } from '../../store/shown-folders';
import { unread } from '../../store/unread';
import { texts } from '../../texts/texts';
import { type KeyCommand, useKeys } from '../base/keys';
import { say } from '../base/notices';
import { selectedId } from '../messages/selection';
import { drawer } from './drawers';
import { showKeyHelp } from './key-help';
import { toggleFollowed, toggleMuted } from './topic-menu';

/** Keys that work everywhere. */
export function usePlaceKeys(): void {
  useKeys(COMMANDS);
}

const COMMANDS: readonly KeyCommand[] = [
  { keys: ['n'], title: () => texts.value.nextTopic, run: () => goToNext(unreadTopics(), 'topic') },
  { keys: ['p'], title: () => texts.value.nextDirect, run: () => goToNext(unread.value.directs, 'direct') },
  { keys: ['I'], title: () => texts.value.inbox, run: () => go({ kind: 'inbox' }) },
  { keys: ['t'], title: () => texts.value.recent, run: () => go({ kind: 'recent' }) },
  { keys: ['a'], title: () => texts.value.feed, run: () => go({ kind: 'feed' }) },
  { keys: ['S'], title: () => texts.value.toItsChannel, run: toChannel },
  { keys: ['M'], title: () => texts.value.toggleMute, run: () => withTopic(toggleMuted) },
  { keys: ['N'], title: () => texts.value.toggleFollow, run: () => withTopic(toggleFollowed) },
  { keys: ['?'], title: () => texts.value.keyboard, run: showKeyHelp },
  { keys: ['Escape'], title: () => texts.value.goHome, run: goBack },
];

/** In the order of the left side. */
function unreadTopics(): UnreadConversation[] {
  const groups = channelGroups(read().subscriptions, shownFolders(), 1);
  const ordered = groups.flatMap(({ channels, hidden }) => [...channels, ...hidden]);
  return ordered.flatMap(({ stream_id: id }) => unread.value.channels.get(id)?.topics ?? []);
}

function goToNext(conversations: readonly UnreadConversation[], kind: Conversation['kind']): void {
  const next = nextUnread(conversations, narrowKey(place.value.narrow), (narrow) => narrow.kind === kind);
  if (next) go(next);
  else say(texts.value.nothingUnread);
}

/** To the channel in which the chosen message was written. */
function toChannel(): void {
  const found = selectedId.value === null ? undefined : messageNow(selectedId.value);
  if (found?.stream_id !== undefined) go({ kind: 'channel', channelId: found.stream_id }, found.id);
}

function withTopic(run: (channelId: number, topic: string) => void): void {
  const { narrow } = place.value;
  if (narrow.kind === 'topic') run(narrow.channelId, narrow.topic);
}

function goBack(): void {
  if (drawer.value) drawer.value = null;
  else if (place.value.narrow.kind === 'channels') leavePage();
  else if (read().user_settings?.['web_escape_navigates_to_home_view'] !== false) go(homeNarrow());
}
