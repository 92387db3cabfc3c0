import { Bell, BellOff, CircleCheck, CircleDot, FolderInput, MailOpen, Rss, Trash2 } from 'lucide';
import { fetchMessage } from '../../store/fetch-message';
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
  const narrow = { kind: 'topic', channelId, topic } as const;
  showMenu(anchor, [
    { label: texts.value.markRead, icon: MailOpen, run: () => void attempt(() => markAllRead(narrow)) },
    ...policyItems(channelId, topic),
    { label: texts.value.moveTopic, icon: FolderInput, run: () => void attempt(() => showMoveOf(channelId, topic)) },
    ...resolveItems(channelId, topic),
    copyItem(addressOf(narrow)),
    ...deleteItems(channelId, topic),
  ]);
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

function deleteItems(channelId: number, topic: string): MenuItem[] {
  const t = texts.value;
  const { can_delete_any_message_group: own } = channel(channelId) ?? {};
  const mayDelete = [own, read().realm_can_delete_any_message_group].some((each) => isAmong(each));
  if (!mayDelete) return [];
  const run = async () => {
    const question = t.deleteTopicQuestion(topicLabel(topic));
    if (await confirm(t.deleteTopic, question, t.deleteTopic)) await attempt(() => deleteTopic(channelId, topic));
  };
  return [{ label: t.deleteTopic, icon: Trash2, run: () => void run() }];
}
