import { Bell, BellOff, CircleCheck, CircleDot, FolderInput, MailOpen, Rss, Trash2 } from 'lucide';
import { fetchMessage } from '../../store/fetch-message';
import { movesFrom } from '../../store/message-rights';
import { channel, read } from '../../store/model';
import { addressOf } from '../../store/place';
import { deleteTopic, isResolved, markAllRead, newestIn, toggleResolved } from '../../store/place-actions';
import { isAmong } from '../../store/rights';
import { isTopicMuted, POLICY, policyOf, setPolicy, toggledMute } from '../../store/topic-policies';
import { texts } from '../../texts/texts';
import { confirm } from '../base/dialog';
import { loadPart } from '../base/lazily';
import { type MenuItem, showMenu } from '../base/menu';
import { attempt } from '../base/notices';
import { copyItem } from './channel-menu';
import { topicLabel } from './marks';

/** The actions on a topic. */
export function showTopicMenu(anchor: HTMLElement, channelId: number, topic: string): void {
  const copy = copyItem(addressOf({ kind: 'topic', channelId, topic }));
  const isArchived = channel(channelId)?.is_archived === true;
  showMenu(anchor, isArchived ? [copy] : [...changesOf(channelId, topic), copy, ...deleteItems(channelId, topic)]);
}

function changesOf(channelId: number, topic: string): MenuItem[] {
  const t = texts.value;
  const markRead = () => void attempt(() => markAllRead({ kind: 'topic', channelId, topic }));
  const place = channel(channelId);
  const { mayWithin, mayOut } = place ? movesFrom(place) : { mayWithin: false, mayOut: false };
  const move = () => void attempt(() => showMoveOf(channelId, topic));
  return [
    { label: t.markRead, icon: MailOpen, run: markRead },
    ...policyItems(channelId, topic),
    ...(mayWithin || mayOut ? [{ label: t.moveTopic, icon: FolderInput, run: move }] : []),
    ...resolveItems(channelId, topic),
  ];
}

/** The dialog asks about a message of the topic, and whether all others come along. */
async function showMoveOf(channelId: number, topic: string): Promise<void> {
  const id = await newestIn(channelId, topic);
  if (id === undefined) return;
  const message = await fetchMessage(id);
  const { showMove } = await loadPart(import('../messages/move-dialog'));
  showMove(message);
}

function policyItems(channelId: number, topic: string): MenuItem[] {
  const t = texts.value;
  const isFollowed = policyOf(channelId, topic) === POLICY.followed;
  const isMuted = isTopicMuted(channelId, topic);
  return [
    { label: isFollowed ? t.unfollow : t.follow, icon: Rss, run: () => toggleFollowed(channelId, topic) },
    { label: isMuted ? t.unmute : t.mute, icon: isMuted ? Bell : BellOff, run: () => toggleMuted(channelId, topic) },
  ];
}

export function toggleFollowed(channelId: number, topic: string): void {
  const isFollowed = policyOf(channelId, topic) === POLICY.followed;
  void attempt(() => setPolicy(channelId, topic, isFollowed ? POLICY.none : POLICY.followed));
}

export function toggleMuted(channelId: number, topic: string): void {
  void attempt(() => setPolicy(channelId, topic, toggledMute(channelId, topic)));
}

function resolveItems(channelId: number, topic: string): MenuItem[] {
  const t = texts.value;
  const { can_resolve_topics_group: own } = channel(channelId) ?? {};
  const mayResolve = [own, read().realm_can_resolve_topics_group].some((each) => isAmong(each));
  if (!mayResolve || topic === '') return [];
  const label = isResolved(topic) ? t.unresolve : t.resolve;
  const icon = isResolved(topic) ? CircleDot : CircleCheck;
  return [{ label, icon, run: () => void attempt(() => toggleResolved(channelId, topic)) }];
}

/** For administrators, whoever else may delete each of the messages. */
function deleteItems(channelId: number, topic: string): MenuItem[] {
  const t = texts.value;
  if (!read().is_admin) return [];
  const run = async () => {
    const question = t.deleteTopicQuestion(topicLabel(topic));
    if (await confirm(t.deleteTopic, question, t.deleteTopic)) await attempt(() => deleteTopic(channelId, topic));
  };
  return [{ label: t.deleteTopic, icon: Trash2, run: () => void run() }];
}
