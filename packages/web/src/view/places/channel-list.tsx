import { useComputed, useSignal } from '@preact/signals';
import { Plus } from 'lucide';
import { type ChannelGroup, channelGroups } from '../../store/channel-groups';
import { mayJoin } from '../../store/channel-rights';
import { type Channel, channel, read, type Subscription, subscription } from '../../store/model';
import { channelOf, go, place } from '../../store/place';
import { joinChannel } from '../../store/place-actions';
import { shownFolders } from '../../store/shown-folders';
import { matches } from '../../store/shown-topics';
import { unread } from '../../store/unread';
import { texts } from '../../texts/texts';
import { IconButton } from '../base/icon';
import { attempt } from '../base/notices';
import { showChannelMenu } from './channel-menu';
import { Entry } from './entry';
import { ChannelMark } from './marks';
import { Section } from './section';
import { TopicList } from './topic-list';

/** More lines than that are shown if asked for. */
const MOST = 100;

/** The channels that the person is in: pinned ones, then by folder. */
export function ChannelList({ filter }: { filter: string }) {
  const groups = useComputed(() => {
    const { subscriptions, user_settings } = read('channels', 'settings');
    return channelGroups(subscriptions, shownFolders(), Number(user_settings?.['demote_inactive_streams'] ?? 1));
  }).value;
  const { can_create_streams: mayCreate } = read('settings');
  const t = texts.value;
  const create = mayCreate && (
    <IconButton of={Plus} label={t.createChannel} onClick={() => go({ kind: 'channels', path: ['new'] })} />
  );
  return (
    <>
      {filter === '' && <ChannelToJoin />}
      {groups.map((group) => (
        <Group
          key={group.key}
          group={group}
          title={titleOf(group, groups.length)}
          filter={filter}
          action={group.key === 'others' && create}
        />
      ))}
    </>
  );
}

/** Where the person is, without being a member. */
function ChannelToJoin() {
  const here = channelOf(place.value.narrow);
  const known = here === undefined || subscription(here) ? undefined : channel(here);
  if (!known || here === undefined) return null;
  const t = texts.value;
  const join = mayJoin(known) && (
    <button type="button" class="more" onClick={() => void attempt(() => joinChannel(known.name))}>
      {t.join}
    </button>
  );
  return (
    <Section name="to-join" title={t.notJoined} isForced action={join}>
      <ul>
        <ChannelEntry channel={known} count={0} isQuiet={false} mentionCount={0} />
      </ul>
    </Section>
  );
}

function titleOf({ isPinned, folder }: ChannelGroup, groupCount: number): string {
  const t = texts.value;
  if (isPinned) return t.pinned;
  return folder?.name ?? (groupCount === 1 ? t.channels : t.otherChannels);
}

interface GroupProps {
  group: ChannelGroup;
  title: string;
  filter: string;
  action: preact.ComponentChildren;
}

function Group({ group, title, filter, action }: GroupProps) {
  const isLong = useSignal(false);
  const all = [...group.channels, ...group.hidden];
  const fitting = filter === '' ? all : all.filter(({ name }) => matches(name, filter));
  const shown = isLong.value ? all : shownOf(group, fitting, filter);
  if (fitting.length === 0) return null;
  const { count, mentionCount } = countOf(all);
  const t = texts.value;
  return (
    <Section {...{ title, count, mentionCount, action }} name={group.key} isForced={filter !== ''}>
      <ul>
        {shown.map((each) => (
          <ChannelEntry key={each.stream_id} channel={each} {...countIn(each)} />
        ))}
        {filter === '' && (isLong.value || shown.length < all.length) && (
          <li>
            <button type="button" class="more" onClick={() => (isLong.value = !isLong.value)}>
              {isLong.value ? t.fewer : t.inactiveChannels(all.length - shown.length)}
            </button>
          </li>
        )}
      </ul>
    </Section>
  );
}

/** Hidden ones, too, if something in them is unread, or if one is there; but not thousands. */
function shownOf({ channels, hidden }: ChannelGroup, fitting: readonly Subscription[], filter: string): Subscription[] {
  if (filter !== '') return fitting.slice(0, MOST);
  const here = channelOf(place.value.narrow);
  const { channels: counts } = unread.value;
  const isUnread = ({ stream_id: id }: Subscription) => (counts.get(id)?.count ?? 0) > 0;
  const others = [...channels.slice(MOST), ...hidden];
  const unreadOnes = new Set(others.filter(isUnread).slice(0, MOST));
  return [...channels.slice(0, MOST), ...others.filter((each) => unreadOnes.has(each) || each.stream_id === here)];
}

function countOf(channels: readonly Subscription[]): { count: number; mentionCount: number } {
  const counts = channels.map(({ stream_id: id }) => unread.value.channels.get(id));
  const sum = (name: 'count' | 'mentionCount') => counts.reduce((all, each) => all + (each?.[name] ?? 0), 0);
  return { count: sum('count'), mentionCount: sum('mentionCount') };
}

/** What is muted counts, quietly, where a muted channel has nothing else. Numbers, so that only lines whose count has changed are drawn anew. */
function countIn({ stream_id: id, is_muted: isMuted }: Subscription): Counted {
  const { count = 0, mutedCount = 0, mentionCount = 0 } = unread.value.channels.get(id) ?? {};
  const isQuiet = isMuted && count === 0;
  return { count: isQuiet ? mutedCount : count, isQuiet, mentionCount };
}

interface Counted {
  count: number;
  isQuiet: boolean;
  mentionCount: number;
}

function ChannelEntry({ channel: shown, ...counted }: { channel: Channel | Subscription } & Counted) {
  read('channels');
  const { stream_id: channelId, name } = shown;
  const isMuted = 'is_muted' in shown && shown.is_muted;
  return (
    <>
      <Entry
        narrow={{ kind: 'channel', channelId }}
        label={name}
        {...counted}
        isMuted={isMuted}
        mark={<ChannelMark channel={shown} />}
        showMenu={(anchor) => showChannelMenu(anchor, channelId)}
      />
      {channelOf(place.value.narrow) === channelId && (
        <li>
          <TopicList channelId={channelId} />
        </li>
      )}
    </>
  );
}
