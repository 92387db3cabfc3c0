import { ArrowLeft } from 'lucide';
import { mayJoin } from '../../store/channel-rights';
import { type Channel, channel, type Subscription, subscription } from '../../store/model';
import { addressOf } from '../../store/place';
import { joinChannel } from '../../store/place-actions';
import { channelTexts } from '../../texts/channel-texts';
import { Icon } from '../base/icon';
import { attempt } from '../base/notices';
import { askToLeave } from '../places/channel-menu';
import { ChannelMark } from '../places/marks';
import { GeneralTab } from './general-tab';
import { MembersTab } from './members-tab';
import { PermissionsTab } from './permissions-tab';
import { PersonalTab } from './personal-tab';

const TABS = ['general', 'personal', 'subscribers', 'permissions'] as const;

/** A channel's properties, its members, and one's own settings for it. */
export function ChannelDetails({ channelId, tab }: { channelId: number; tab: string }) {
  const known = channel(channelId);
  const t = channelTexts.value;
  if (!known) return <p class="notice">{t.nothing}</p>;
  // Copies, because the state is changed in place: the tabs are drawn anew with each change.
  const shown = { ...known };
  const own = subscription(channelId) && { ...(subscription(channelId) as Subscription) };
  const isPersonal = tab === 'personal' && own;
  return (
    <>
      <a class="back" href={addressOf({ kind: 'channels', path: ['all'] })}>
        <Icon of={ArrowLeft} /> {t.back}
      </a>
      <header class="channel-head">
        <h2>
          <ChannelMark channel={own ?? shown} /> {shown.name}
        </h2>
        <a class="button" href={addressOf({ kind: 'channel', channelId })}>
          {t.view}
        </a>
        <Membership channelId={channelId} />
      </header>
      <Tabs channel={shown} tab={tab} />
      {tab === 'subscribers' && <MembersTab channel={shown} />}
      {tab === 'permissions' && <PermissionsTab key={channelId} channel={shown} />}
      {isPersonal && <PersonalTab key={channelId} own={own} />}
      {tab === 'personal' && !own && <p class="notice calm">{t.onlyMembers}</p>}
      {!['subscribers', 'permissions', 'personal'].includes(tab) && <GeneralTab key={channelId} channel={shown} />}
    </>
  );
}

function Tabs({ channel: { stream_id: id, name }, tab }: { channel: Channel; tab: string }) {
  return (
    <nav class="tabs" aria-label={name}>
      {TABS.map((each) => (
        <a
          key={each}
          href={addressOf({ kind: 'channels', path: [String(id), each] })}
          aria-current={each === tab ? 'page' : undefined}
        >
          {channelTexts.value[each]}
        </a>
      ))}
    </nav>
  );
}

function Membership({ channelId }: { channelId: number }) {
  const shown = channel(channelId);
  const own = subscription(channelId);
  const t = channelTexts.value;
  if (own)
    return (
      <button type="button" class="plain" onClick={() => void askToLeave(own)}>
        {t.leave}
      </button>
    );
  if (!shown || !mayJoin(shown)) return null;
  return (
    <button type="button" class="plain main" onClick={() => void attempt(() => joinChannel(shown.name))}>
      {t.join}
    </button>
  );
}
