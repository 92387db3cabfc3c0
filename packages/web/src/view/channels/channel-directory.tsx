import { useSignal } from '@preact/signals';
import { Check, Plus } from 'lucide';
import { useEffect } from 'preact/hooks';
import { mayJoin } from '../../store/channel-rights';
import { kept } from '../../store/kept';
import { type Channel, read, subscription } from '../../store/model';
import { addressOf, go } from '../../store/place';
import { joinChannel } from '../../store/place-actions';
import { matches } from '../../store/shown-topics';
import { channelTexts } from '../../texts/channel-texts';
import { texts } from '../../texts/texts';
import { Icon, IconButton } from '../base/icon';
import { attempt } from '../base/notices';
import { askToLeave } from '../places/channel-menu';
import { Filter } from '../places/filter';
import { ChannelMark } from '../places/marks';

const TABS = ['subscribed', 'available', 'all', 'archived'] as const;
type Tab = (typeof TABS)[number];
const FIRST = 100;

/** Stays while a channel is chosen. */
const lastTab = kept<Tab>('channels-tab', 'subscribed');

export function ChannelDirectory({ tab, chosenId }: { tab: string | null; chosenId: number | null }) {
  const filter = useSignal('');
  const most = useSignal(FIRST);
  const shown = TABS.find((each) => each === tab) ?? lastTab.value;
  useEffect(() => {
    lastTab.value = shown;
  }, [shown]);
  const t = channelTexts.value;
  const found = channelsOf(shown).filter(({ name, description }) => matches(`${name} ${description}`, filter.value));
  return (
    <div class="channel-directory">
      <header class="place">
        <h1>{t.title}</h1>
        {read('settings').can_create_streams && (
          <IconButton of={Plus} label={t.create} onClick={() => go({ kind: 'channels', path: ['new'] })} />
        )}
      </header>
      <Tabs shown={shown} />
      <Filter filter={filter} label={t.filter} />
      <ul>
        {found.slice(0, most.value).map((each) => (
          <Line key={each.stream_id} channel={each} isChosen={each.stream_id === chosenId} />
        ))}
      </ul>
      {found.length === 0 && <p class="notice calm">{t.nothing}</p>}
      {found.length > most.value && (
        <button type="button" class="more" onClick={() => (most.value += 5 * FIRST)}>
          {texts.value.more(found.length - most.value)}
        </button>
      )}
    </div>
  );
}

function Tabs({ shown }: { shown: Tab }) {
  return (
    <nav class="tabs" aria-label={channelTexts.value.title}>
      {TABS.map((each) => (
        <a
          key={each}
          href={addressOf({ kind: 'channels', path: [each] })}
          aria-current={each === shown ? 'page' : undefined}
        >
          {channelTexts.value[each]}
        </a>
      ))}
    </nav>
  );
}

function channelsOf(tab: Tab): Channel[] {
  const { subscriptions, streams = [] } = read('channels');
  const fits: Record<Tab, (each: Channel) => boolean> = {
    subscribed: (each) => !each.is_archived,
    available: (each) => !each.is_archived && !subscription(each.stream_id),
    all: (each) => !each.is_archived,
    archived: (each) => each.is_archived,
  };
  const from: readonly Channel[] = tab === 'subscribed' ? subscriptions : streams;
  return from.filter(fits[tab]).sort((a, b) => a.name.localeCompare(b.name));
}

function Line({ channel, isChosen }: { channel: Channel; isChosen: boolean }) {
  const own = subscription(channel.stream_id);
  const t = channelTexts.value;
  const toggle = () => (own ? void askToLeave(own) : void attempt(() => joinChannel(channel.name)));
  const label = `${own ? t.leave : t.join}: ${channel.name}`;
  return (
    <li class="entry channel-line">
      <a
        href={addressOf({ kind: 'channels', path: [String(channel.stream_id), 'general'] })}
        aria-current={isChosen ? 'page' : undefined}
      >
        <ChannelMark channel={own ?? channel} />
        <span class="label">
          {channel.name}
          {channel.description && <small>{channel.description}</small>}
        </span>
        <span class="calm">{channel.subscriber_count}</span>
      </a>
      {(own || mayJoin(channel)) && (
        <button
          type="button"
          class="icon-button"
          title={label}
          aria-label={label}
          aria-pressed={!!own}
          onClick={toggle}
        >
          <Icon of={own ? Check : Plus} />
        </button>
      )}
    </li>
  );
}
