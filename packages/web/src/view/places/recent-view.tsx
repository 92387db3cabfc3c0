import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { channel, link, person, personName, read, registration } from '../../store/model';
import { addressOf } from '../../store/place';
import { hasAllRecent, loadMoreRecent, openRecent, type RecentConversation, recent } from '../../store/recent';
import { matches } from '../../store/shown-topics';
import { isTopicMuted } from '../../store/topic-policies';
import { unreadIn } from '../../store/unread';
import { shownLanguage, texts } from '../../texts/texts';
import { attempt } from '../base/notices';
import { sinceText } from '../people/moments';
import { DirectMark } from './direct-list';
import { MenuButton } from './entry';
import { Filter } from './filter';
import { ChannelMark, Count, topicLabel } from './marks';
import { PolicyMark, ResolvedMark } from './topic-list';
import { showTopicMenu } from './topic-menu';

type Choice = 'onlyUnread' | 'onlyParticipated' | 'includeMuted';

const FIRST = 60;

/** Conversations, those with the newest message first. */
export function RecentView() {
  read('people', 'channels', 'unread');
  const [filter, most] = [useSignal(''), useSignal(FIRST)];
  const choices = useSignal<ReadonlySet<Choice>>(new Set());
  // What could not be fetched without a network is there with it.
  const isUp = link.value === 'up';
  useEffect(() => {
    void attempt(openRecent);
  }, [registration.value, isUp]);
  const all = useComputed(() => wanted(choices.value, filter.value)).value;
  const t = texts.value;
  const showMore = () => {
    most.value += FIRST;
    if (most.value > all.length && !hasAllRecent.value) void attempt(loadMoreRecent);
  };
  return (
    <section class="recent page">
      <header class="place">
        <h1>{t.recent}</h1>
        <Filter filter={filter} label={t.recentFilter} />
        <Choices chosen={choices.value} choose={(chosen) => (choices.value = chosen)} />
      </header>
      <div class="page-scroll">
        <ul>
          {all.slice(0, most.value).map((each) => (
            <Line key={addressOf(each.narrow)} of={each} />
          ))}
        </ul>
        {all.length === 0 && hasAllRecent.value && <p class="notice">{t.noMatch}</p>}
        {(all.length > most.value || !hasAllRecent.value) && (
          <button type="button" class="more" onClick={showMore}>
            {t.showMore}
          </button>
        )}
      </div>
    </section>
  );
}

function wanted(chosen: ReadonlySet<Choice>, words: string): RecentConversation[] {
  return recent.value.filter((each) => isWanted(each, chosen) && matches(nameOf(each), words));
}

interface ChoicesProps {
  chosen: ReadonlySet<Choice>;
  choose: (chosen: ReadonlySet<Choice>) => void;
}

function Choices({ chosen, choose }: ChoicesProps) {
  const kinds: readonly Choice[] = ['onlyUnread', 'onlyParticipated', 'includeMuted'];
  const toggle = (kind: Choice) => choose(new Set(kinds.filter((each) => chosen.has(each) !== (each === kind))));
  return (
    <span class="choices">
      {kinds.map((kind) => (
        <button key={kind} type="button" aria-pressed={chosen.has(kind)} onClick={() => toggle(kind)}>
          {texts.value[kind]}
        </button>
      ))}
    </span>
  );
}

function isWanted({ narrow, senderIds }: RecentConversation, chosen: ReadonlySet<Choice>): boolean {
  const isMuted = narrow.kind === 'topic' && isTopicMuted(narrow.channelId, narrow.topic);
  if (isMuted && !chosen.has('includeMuted')) return false;
  if (chosen.has('onlyUnread') && !unreadIn(narrow)) return false;
  return !chosen.has('onlyParticipated') || senderIds.includes(read().user_id);
}

function nameOf({ narrow }: RecentConversation): string {
  if (narrow.kind === 'direct') return narrow.userIds.map(personName).join(', ');
  return `${channel(narrow.channelId)?.name ?? ''} ${topicLabel(narrow.topic)}`;
}

function Line({ of: { narrow, newestId, newestAt, senderIds } }: { of: RecentConversation }) {
  const { count, mentionCount } = unreadIn(narrow) ?? {};
  const known = narrow.kind === 'topic' ? channel(narrow.channelId) : undefined;
  const label = narrow.kind === 'topic' ? topicLabel(narrow.topic) : narrow.userIds.map(personName).join(', ');
  return (
    <li class="entry recent-line">
      <a href={addressOf(narrow, count ? undefined : newestId)}>
        {known ? <ChannelMark channel={known} /> : narrow.kind === 'direct' && <DirectMark userIds={narrow.userIds} />}
        <span class="label">
          {known && <span class="calm in-channel">{known.name}</span>}
          {known && <span class="calm"> › </span>}
          {label}
        </span>
        {narrow.kind === 'topic' && <ResolvedMark topic={narrow.topic} />}
        {narrow.kind === 'topic' && <PolicyMark {...narrow} />}
        <Count count={count} mentionCount={mentionCount} />
        <Senders ids={senderIds} />
        <time class="calm" dateTime={new Date(newestAt * 1_000).toISOString()}>
          {sinceText(newestAt, shownLanguage.value)}
        </time>
      </a>
      {narrow.kind === 'topic' && (
        <MenuButton label={label} showMenu={(anchor) => showTopicMenu(anchor, narrow.channelId, narrow.topic)} />
      )}
    </li>
  );
}

const MOST_PICTURES = 3;

function Senders({ ids }: { ids: readonly number[] }) {
  const title = ids.map(personName).join(', ');
  return (
    <span class="senders" role="img" aria-label={title} title={title}>
      {ids.slice(0, MOST_PICTURES).map((id) => (
        <img key={id} src={person(id)?.avatar_url ?? `/avatar/${id}`} alt="" width="20" height="20" loading="lazy" />
      ))}
    </span>
  );
}
