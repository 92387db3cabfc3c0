import { useSignal } from '@preact/signals';
import { BellOff, CircleCheck, Rss } from 'lucide';
import { isSameNarrow, type Narrow } from '../../narrow/narrow';
import { place } from '../../store/place';
import { isResolved } from '../../store/place-actions';
import { matches, shownTopics } from '../../store/shown-topics';
import { isTopicMuted, POLICY, policyOf } from '../../store/topic-policies';
import { type Topic, topicsOf } from '../../store/topics';
import { unreadIn } from '../../store/unread';
import { texts } from '../../texts/texts';
import { Icon } from '../base/icon';
import { Entry } from './entry';
import { Filter } from './filter';
import { topicLabel } from './marks';
import { showTopicMenu } from './topic-menu';

/** More topics than that are found with the field above them. */
const MOST = 200;

/** The topics of a channel: those that matter now, and all of them if asked for. */
export function TopicList({ channelId }: { channelId: number }) {
  const isLong = useSignal(false);
  const filter = useSignal('');
  const all = topicsOf(channelId);
  const t = texts.value;
  if (!all) return null;
  const { shown, moreCount } = shownTopics(all, factsOf(channelId));
  const listed = isLong.value
    ? all.filter(({ name }) => matches(topicLabel(name), filter.value)).slice(0, MOST)
    : shown;
  return (
    <>
      {isLong.value && <Filter filter={filter} label={t.topic} />}
      <ul class="topics">
        {listed.map((topic) => (
          <TopicEntry key={topic.name.toLowerCase()} channelId={channelId} topic={topic} />
        ))}
        {(isLong.value || moreCount > 0) && (
          <li>
            <button type="button" class="more" onClick={() => (isLong.value = !isLong.value)}>
              {isLong.value ? t.fewer : t.moreTopics(moreCount)}
            </button>
          </li>
        )}
      </ul>
    </>
  );
}

function factsOf(channelId: number) {
  const narrowTo = (topic: string): Narrow => ({ kind: 'topic', channelId, topic });
  return {
    isUnread: (topic: string) => (unreadIn(narrowTo(topic))?.count ?? 0) > 0,
    isMuted: (topic: string) => policyOf(channelId, topic) === POLICY.muted,
    isHere: (topic: string) => isSameNarrow(place.value.narrow, narrowTo(topic)),
  };
}

function TopicEntry({ channelId, topic: { name } }: { channelId: number; topic: Topic }) {
  const narrow: Narrow = { kind: 'topic', channelId, topic: name };
  const { count, mentionCount } = unreadIn(narrow) ?? {};
  return (
    <Entry
      narrow={narrow}
      label={topicLabel(name)}
      count={count}
      mentionCount={mentionCount}
      isMuted={isTopicMuted(channelId, name)}
      mark={<ResolvedMark topic={name} />}
      after={<PolicyMark channelId={channelId} topic={name} />}
      showMenu={(anchor) => showTopicMenu(anchor, channelId, name)}
    />
  );
}

export function ResolvedMark({ topic }: { topic: string }) {
  return isResolved(topic) ? <TopicMark of={CircleCheck} label={texts.value.resolved} /> : null;
}

/** Whether the person follows a topic or has muted it. */
export function PolicyMark({ channelId, topic }: { channelId: number; topic: string }) {
  const policy = policyOf(channelId, topic);
  if (policy === POLICY.followed) return <TopicMark of={Rss} label={texts.value.followed} />;
  return policy === POLICY.muted ? <TopicMark of={BellOff} label={texts.value.muted} /> : null;
}

function TopicMark({ of, label }: { of: Parameters<typeof Icon>[0]['of']; label: string }) {
  return (
    <span class="mark" role="img" aria-label={label} title={label}>
      <Icon of={of} />
    </span>
  );
}
