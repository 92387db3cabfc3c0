import { isSameNarrow, type Narrow } from '../../narrow/narrow';
import { personName, read, type Subscription } from '../../store/model';
import { addressOf, place } from '../../store/place';
import { unread, unreadIn } from '../../store/unread';
import { texts } from '../../texts/texts';

const MOST_CONVERSATIONS = 12;

export function Sidebar() {
  const { realm_name, unread_msgs } = read('channels', 'unread', 'settings');
  const { inbox, feed, mentions, starred, directMessages, signOut } = texts.value;
  return (
    <>
      <h1>{realm_name}</h1>
      <ul>
        <Entry narrow={{ kind: 'inbox' }} label={inbox} count={unread_msgs.count} />
        <Entry narrow={{ kind: 'feed' }} label={feed} />
        <Entry narrow={{ kind: 'mentions' }} label={mentions} count={unread_msgs.mentions.length} />
        <Entry narrow={{ kind: 'starred' }} label={starred} />
      </ul>
      <h2>{directMessages}</h2>
      <Conversations />
      <Channels />
      <form method="post" action="/accounts/logout">
        <button type="submit" class="quiet">
          {signOut}
        </button>
      </form>
    </>
  );
}

interface EntryProps {
  narrow: Narrow;
  label: string;
  count?: number | undefined;
  color?: string;
  isMuted?: boolean;
}

function Entry({ narrow, label, count = 0, color, isMuted = false }: EntryProps) {
  const isHere = isSameNarrow(place.value.narrow, narrow);
  return (
    <li class={isMuted ? 'muted' : ''}>
      <a href={addressOf(narrow)} aria-current={isHere ? 'page' : undefined}>
        {color && <span class="color" style={{ background: color }} aria-hidden="true" />}
        <span class="label">{label}</span>
        {count > 0 && <span class="count">{count}</span>}
      </a>
    </li>
  );
}

function Conversations() {
  const { recent_private_conversations: recent, user_id } = read('unread', 'people');
  return (
    <ul>
      {recent.slice(0, MOST_CONVERSATIONS).map(({ user_ids }) => {
        const narrow: Narrow = { kind: 'direct', userIds: user_ids.length > 0 ? user_ids : [user_id] };
        const count = unreadIn(narrow)?.count;
        return (
          <Entry
            key={user_ids.join()}
            narrow={narrow}
            label={narrow.userIds.map(personName).join(', ')}
            count={count}
          />
        );
      })}
    </ul>
  );
}

/** Pinned channels, then each folder, then the others. */
function Channels() {
  const { subscriptions, channel_folders: folders = [] } = read('channels');
  const counts = unread.value.channels;
  const byName = [...subscriptions]
    .filter(({ is_archived }) => !is_archived)
    .sort((a, b) => a.name.localeCompare(b.name));
  const groups = [
    { title: texts.value.pinned, channels: byName.filter(({ pin_to_top }) => pin_to_top) },
    ...folders.map(({ id, name }) => ({
      title: name,
      channels: byName.filter((each) => !each.pin_to_top && each.folder_id === id),
    })),
    {
      title: texts.value.channels,
      channels: byName.filter((each) => !each.pin_to_top && !folders.some(({ id }) => id === each.folder_id)),
    },
  ];
  return groups
    .filter(({ channels }) => channels.length > 0)
    .map(({ title, channels }) => (
      <section key={title}>
        <h2>{title}</h2>
        <ul>
          {channels.map((each) => (
            <ChannelEntry key={each.stream_id} channel={each} count={counts.get(each.stream_id)?.count} />
          ))}
        </ul>
      </section>
    ));
}

function ChannelEntry({ channel, count }: { channel: Subscription; count: number | undefined }) {
  const { stream_id: channelId, name, color, is_muted, invite_only } = channel;
  const label = `${invite_only ? '🔒 ' : ''}${name}`;
  return <Entry narrow={{ kind: 'channel', channelId }} label={label} count={count} color={color} isMuted={is_muted} />;
}
