import { useSignal } from '@preact/signals';
import { X } from 'lucide';
import { useEffect } from 'preact/hooks';
import { call } from '../../api/call';
import { mayRemoveFrom } from '../../store/channel-rights';
import { type Channel, personName, read, registration } from '../../store/model';
import { joinChannel, leaveChannel } from '../../store/place-actions';
import { mayAddTo } from '../../store/rights';
import { matches } from '../../store/shown-topics';
import { channelTexts } from '../../texts/channel-texts';
import { texts } from '../../texts/texts';
import { IconButton } from '../base/icon';
import { attempt } from '../base/notices';
import { showPersonCard } from '../people/person-card';
import { Picture } from '../places/direct-list';
import { Filter } from '../places/filter';
import { PickMembers } from './pick-members';

const FIRST = 100;

/** The channel's members; people are added and removed. */
export function MembersTab({ channel }: { channel: Channel }) {
  const ids = useSignal<readonly number[]>([]);
  const filter = useSignal('');
  const most = useSignal(FIRST);
  const { stream_id: id, subscriber_count: count } = channel;
  useEffect(() => {
    void attempt(async () => {
      ids.value = (await call<{ subscribers: number[] }>('GET', `/streams/${id}/members`)).subscribers;
    });
  }, [id, count, registration.value]);
  const found = ids.value
    .map((userId) => ({ userId, name: personName(userId) }))
    .filter(({ name }) => matches(name, filter.value))
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <div class="channel-form">
      {mayAddTo(channel) && !channel.is_archived && <AddMembers channel={channel} memberIds={new Set(ids.value)} />}
      <Filter filter={filter} label={`${channelTexts.value.findMember} (${ids.value.length})`} />
      <ul>
        {found.slice(0, most.value).map(({ userId, name }) => (
          <Member key={userId} channel={channel} userId={userId} name={name} />
        ))}
      </ul>
      {found.length > most.value && (
        <button type="button" class="more" onClick={() => (most.value += 5 * FIRST)}>
          {texts.value.more(found.length - most.value)}
        </button>
      )}
    </div>
  );
}

function AddMembers({ channel, memberIds }: { channel: Channel; memberIds: ReadonlySet<number> }) {
  const chosen = useSignal<readonly number[]>([]);
  const add = async (event: Event) => {
    event.preventDefault();
    if (await attempt(() => joinChannel(channel.name, chosen.value))) chosen.value = [];
  };
  return (
    <form onSubmit={(event) => void add(event)}>
      <PickMembers chosen={chosen} except={memberIds} />
      {chosen.value.length > 0 && <button type="submit">{channelTexts.value.add}</button>}
    </form>
  );
}

function Member({ channel, userId, name }: { channel: Channel; userId: number; name: string }) {
  const mayRemove = mayRemoveFrom(channel) || userId === read().user_id;
  const remove = () => void attempt(() => leaveChannel(channel.name, [userId]));
  return (
    <li class="entry">
      <button type="button" class="line" onClick={({ currentTarget }) => showPersonCard(currentTarget, userId)}>
        <Picture userId={userId} />
        <span class="label">{name}</span>
      </button>
      {mayRemove && <IconButton of={X} label={texts.value.removePerson(name)} onClick={remove} />}
    </li>
  );
}
