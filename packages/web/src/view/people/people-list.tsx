import { type ClientState, type Person, read } from '../../store/model';
import { addressOf } from '../../store/place';
import { texts } from '../../texts/texts';

const MOST_PEOPLE = 100;
type Presence = 'active' | 'idle' | 'away';
const ORDER: readonly Presence[] = ['active', 'idle', 'away'];

/** People, those who are there first. */
export function PeopleList() {
  const state = read('people', 'presence');
  const people = state.realm_users
    .filter(({ is_bot }) => !is_bot)
    .map((person) => ({ person, presence: presenceOf(state, person) }))
    .sort(
      (a, b) =>
        ORDER.indexOf(a.presence) - ORDER.indexOf(b.presence) || a.person.full_name.localeCompare(b.person.full_name),
    )
    .slice(0, MOST_PEOPLE);
  return (
    <>
      <h2>{texts.value.people}</h2>
      <ul>
        {people.map(({ person, presence }) => (
          <li key={person.user_id}>
            <a href={addressOf({ kind: 'direct', userIds: [person.user_id] })}>
              <span class={`presence ${presence}`} role="img" aria-label={texts.value[presence]} />
              <span class="label">{person.full_name}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function presenceOf(state: ClientState, { user_id }: Person): Presence {
  const { active_timestamp = 0, idle_timestamp = 0 } = state.presences?.[user_id] ?? {};
  const threshold = Date.now() / 1_000 - (state.server_presence_offline_threshold_seconds ?? 200);
  if (active_timestamp > threshold || user_id === state.user_id) return 'active';
  return idle_timestamp > threshold ? 'idle' : 'away';
}
