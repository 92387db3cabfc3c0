import { computed, useSignal } from '@preact/signals';
import { ChevronDown, ChevronRight, MailOpen, MessagesSquare } from 'lucide';
import type { ComponentChildren } from 'preact';
import type { Narrow } from '../../narrow/narrow';
import { kept } from '../../store/kept';
import { channel, channelName, personName, read } from '../../store/model';
import { addressOf } from '../../store/place';
import { markAllRead } from '../../store/place-actions';
import { type UnreadConversation, unread } from '../../store/unread';
import { texts } from '../../texts/texts';
import { confirm } from '../base/dialog';
import { Icon, IconButton } from '../base/icon';
import { attempt } from '../base/notices';
import { showChannelMenu } from './channel-menu';
import { DirectMark } from './direct-list';
import { MenuButton } from './entry';
import { Filter } from './filter';
import { type InboxGroup, inboxGroups, ranksOf } from './inbox-groups';
import { ChannelMark, Count, topicLabel } from './marks';
import { PolicyMark, ResolvedMark } from './topic-list';
import { showTopicMenu } from './topic-menu';

const ranks = computed(() => ranksOf(read('channels').subscriptions));

/** Keys of the groups that are folded. */
const folded = kept<readonly string[]>('folded-inbox', []);
/** Rows of one group, at first. */
const MOST = 20;
const MOST_GROUPS = 30;

/** All conversations with unread messages, by channel. */
export function Inbox() {
  read('unread', 'people', 'channels');
  const [filter, most] = [useSignal(''), useSignal(MOST_GROUPS)];
  const labelOf = ({ narrow }: UnreadConversation) => labelOfNarrow(narrow);
  const rankOf = (id: number) => ranks.value.get(id) ?? ranks.value.size;
  const facts = { labelOf, channelName, rankOf };
  const groups = inboxGroups(unread.value, facts, filter.value);
  return (
    <section class="inbox page">
      <header class="place">
        <h1>{texts.value.inbox}</h1>
        <Filter filter={filter} label={texts.value.inboxFilter} />
        {groups.length > 0 && <InboxActions keys={groups.map(({ key }) => key)} />}
      </header>
      <div class="page-scroll">
        {groups.length === 0 && <Nothing isFiltered={filter.value !== ''} />}
        {groups.slice(0, most.value).map((group) => (
          <Group key={group.key} group={group} />
        ))}
        {groups.length > most.value && (
          <button type="button" class="more" onClick={() => (most.value += MOST_GROUPS)}>
            {texts.value.more(groups.length - most.value)}
          </button>
        )}
      </div>
    </section>
  );
}

function InboxActions({ keys }: { keys: readonly string[] }) {
  const t = texts.value;
  const areFolded = keys.every((key) => folded.value.includes(key));
  const fold = () => {
    folded.value = areFolded ? [] : keys;
  };
  return (
    <>
      <IconButton
        of={areFolded ? ChevronRight : ChevronDown}
        label={areFolded ? t.expandAll : t.collapseAll}
        onClick={fold}
      />
      <IconButton of={MailOpen} label={t.markAllRead} onClick={() => void askToMarkAll()} />
    </>
  );
}

/** So many are not marked by accident. */
const MANY = 20;

async function askToMarkAll(): Promise<void> {
  const t = texts.value;
  const { count } = unread.value;
  if (count > MANY && !(await confirm(t.markAllRead, t.markAllQuestion(count), t.markAllRead))) return;
  await attempt(() => markAllRead({ kind: 'feed' }));
}

function labelOfNarrow(narrow: UnreadConversation['narrow']): string {
  return narrow.kind === 'direct' ? narrow.userIds.map(personName).join(', ') : topicLabel(narrow.topic);
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const t = texts.value;
  return (
    <div class="nothing">
      <Icon of={MailOpen} />
      <p>{isFiltered ? t.noMatch : t.nothingUnread}</p>
      {!isFiltered && <a href={addressOf({ kind: 'recent' })}>{t.recent}</a>}
    </div>
  );
}

function Group({ group }: { group: InboxGroup }) {
  const { key, channelId, conversations, count, mentionCount } = group;
  const most = useSignal(MOST);
  const isOpen = !folded.value.includes(key);
  const title = channelId === null ? texts.value.directMessages : channelName(channelId);
  const toggle = () => {
    folded.value = isOpen ? [...folded.value, key] : folded.value.filter((each) => each !== key);
  };
  return (
    <section class="inbox-group">
      <h2 class="inbox-head">
        <button type="button" aria-expanded={isOpen} onClick={toggle}>
          <Icon of={isOpen ? ChevronDown : ChevronRight} />
          <GroupMark channelId={channelId} />
          <span class="label">{title}</span>
          <Count count={count} mentionCount={mentionCount} />
        </button>
        {channelId !== null && <MenuButton label={title} showMenu={(anchor) => showChannelMenu(anchor, channelId)} />}
      </h2>
      {isOpen && (
        <ul>
          {conversations.slice(0, most.value).map((each) => (
            <Line key={addressOf(each.narrow)} of={each} />
          ))}
          {conversations.length > most.value && (
            <li>
              <button type="button" class="more" onClick={() => (most.value += 5 * MOST)}>
                {texts.value.more(conversations.length - most.value)}
              </button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

function GroupMark({ channelId }: { channelId: number | null }) {
  const known = channelId === null ? undefined : channel(channelId);
  return known ? <ChannelMark channel={known} /> : <Icon of={MessagesSquare} />;
}

function Line({ of: { narrow, count, mentionCount } }: { of: UnreadConversation }) {
  const label = labelOfNarrow(narrow);
  const mark: ComponentChildren =
    narrow.kind === 'direct' ? <DirectMark userIds={narrow.userIds} /> : <ResolvedMark topic={narrow.topic} />;
  return (
    <li class="entry">
      <a href={addressOf(narrow)}>
        {mark}
        <span class="label">{label}</span>
        {narrow.kind === 'topic' && <PolicyMark {...narrow} />}
        <Count count={count} mentionCount={mentionCount} />
      </a>
      <LineActions narrow={narrow} label={label} />
    </li>
  );
}

function LineActions({ narrow, label }: { narrow: Narrow; label: string }) {
  return (
    <span class="line-actions">
      <IconButton of={MailOpen} label={texts.value.markRead} onClick={() => void attempt(() => markAllRead(narrow))} />
      {narrow.kind === 'topic' && (
        <MenuButton label={label} showMenu={(anchor) => showTopicMenu(anchor, narrow.channelId, narrow.topic)} />
      )}
    </span>
  );
}
