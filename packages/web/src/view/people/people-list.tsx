import { signal, useComputed, useSignal } from '@preact/signals';
import { UserPlus, Users } from 'lucide';
import { useRef } from 'preact/hooks';
import { channel, type Person, read } from '../../store/model';
import { namedGroups } from '../../store/named-groups';
import { byName, peopleGroups } from '../../store/people-groups';
import { channelOf, place } from '../../store/place';
import { presenceOf } from '../../store/presence';
import { isAmong } from '../../store/rights';
import { matcherOf, matches } from '../../store/shown-topics';
import { texts } from '../../texts/texts';
import { Icon } from '../base/icon';
import { useKeys } from '../base/keys';
import { showGroupCard } from '../messages/group-card';
import { Picture } from '../places/direct-list';
import { focusIn } from '../places/drawers';
import { Entry } from '../places/entry';
import { Section } from '../places/section';
import { sortedPeople } from './people-order';
import { showPersonCard } from './person-card';
import { StatusEmoji, statusOf } from './status';

const filter = signal('');
const FIRST = 60;
/** As many as are seen at once: each has a picture, and each key of the filter brings others. */
const FIRST_FOUND = 24;
const STEP = 200;

/** People, those who are there first; in a channel its members before the others. */
export function PeopleList() {
  const channelId = channelOf(place.value.narrow);
  const memberIds = useComputed(() => {
    const id = channelOf(place.value.narrow);
    return new Set(id === undefined ? [] : membersOf(id));
  });
  const groups = useComputed(() => {
    const { user_id: userId } = read('presence');
    const members = memberIds.value;
    const fits = matcherOf(filter.value);
    return peopleGroups(sortedPeople(), { userId, presenceOf, fits, isMember: (each) => members.has(each) });
  }).value;
  const t = texts.value;
  const isForced = filter.value !== '';
  return (
    <>
      <FilterField />
      {channelId !== undefined && groups.members.length > 0 && (
        <PeopleSection name="members" title={t.inThisChannel} people={groups.members} isForced={isForced} />
      )}
      <PeopleSection
        name="people"
        title={groups.members.length > 0 ? t.otherPeople : t.people}
        people={groups.others}
        isForced={isForced}
      />
      <Groups isForced={isForced} />
      <PeopleSection name="bots" title={t.bots} people={groups.bots} isForced={isForced} startsFolded />
      {isForced && <PeopleSection name="former" title={t.deactivatedPeople} people={formerPeople()} isForced />}
      <Invite />
    </>
  );
}

function membersOf(channelId: number): readonly number[] {
  const { subscribers, partial_subscribers: some } = channel(channelId) ?? {};
  return subscribers ?? some ?? [];
}

function formerPeople(): Person[] {
  const fits = matcherOf(filter.value);
  return byName(read('people').realm_non_active_users.filter(({ full_name: name }) => fits(name)));
}

function FilterField() {
  const field = useRef<HTMLInputElement>(null);
  const t = texts.value;
  useKeys([{ keys: ['q'], title: () => texts.value.filterPeople, run: () => focusIn('right', field.current) }]);
  return (
    <input
      ref={field}
      class="filter"
      type="search"
      placeholder={t.filterPeople}
      aria-label={t.filterPeople}
      value={filter.value}
      onInput={({ currentTarget }) => {
        filter.value = currentTarget.value;
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') currentTarget.parentElement?.querySelector<HTMLElement>('.entry > a')?.click();
        if (key !== 'Enter' && key !== 'Escape') return;
        filter.value = '';
        currentTarget.blur();
      }}
    />
  );
}

interface PeopleSectionProps {
  name: string;
  title: string;
  people: readonly Person[];
  isForced: boolean;
  startsFolded?: boolean;
}

function PeopleSection({ name, title, people, isForced, startsFolded = false }: PeopleSectionProps) {
  const more = useSignal(0);
  const most = (isForced ? FIRST_FOUND : FIRST) + more.value;
  if (people.length === 0) return null;
  return (
    <Section name={name} title={`${title} (${people.length})`} isForced={isForced} startsFolded={startsFolded}>
      <ul>
        {people.slice(0, most).map((each) => (
          <PersonEntry key={each.user_id} shown={each} isFound={isForced} />
        ))}
        {people.length > most && (
          <li>
            <button type="button" class="more" onClick={() => (more.value += STEP)}>
              {texts.value.more(people.length - most)}
            </button>
          </li>
        )}
      </ul>
    </Section>
  );
}

function PersonEntry({ shown, isFound }: { shown: Person; isFound: boolean }) {
  const isOwn = shown.user_id === read('people').user_id;
  const { user_id: userId, full_name: name } = shown;
  const text = statusOf(userId)?.status_text;
  return (
    <Entry
      narrow={{ kind: 'direct', userIds: [userId] }}
      label={isOwn ? texts.value.ownName(name) : name}
      note={text}
      mark={<Picture userId={userId} isLate={isFound} />}
      after={<StatusEmoji userId={userId} />}
      showMenu={(anchor) => showPersonCard(anchor, userId)}
    />
  );
}

function Groups({ isForced }: { isForced: boolean }) {
  const groups = namedGroups().filter(({ name }) => matches(name, filter.value));
  if (groups.length === 0) return null;
  return (
    <Section name="groups" title={`${texts.value.groups} (${groups.length})`} isForced={isForced} startsFolded>
      <ul>
        {groups.slice(0, STEP).map(({ id, name }) => (
          <li key={id} class="entry">
            <button type="button" class="line" onClick={({ currentTarget }) => showGroupCard(currentTarget, id)}>
              <Icon of={Users} /> <span class="label">{name}</span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Invite() {
  const state = read('people', 'settings');
  const mayInvite = state.can_invite_others_to_realm || isAmong(state.realm_create_multiuse_invite_group);
  if (!mayInvite) return null;
  return (
    <p class="browse">
      <a href="#organization/invitations">
        <Icon of={UserPlus} /> {texts.value.invitePeople}
      </a>
    </p>
  );
}
