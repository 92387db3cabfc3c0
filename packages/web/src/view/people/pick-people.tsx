import { type Signal, useSignal } from '@preact/signals';
import { X } from 'lucide';
import { type Person, personName, read } from '../../store/model';
import { matches } from '../../store/shown-topics';
import { texts } from '../../texts/texts';
import { Icon } from '../base/icon';
import { sortedPeople } from './people-order';

const MOST_SUGGESTED = 8;
const FIRST = 50;
const STEP = 200;

interface PickPeopleProps {
  chosen: Signal<readonly number[]>;
  label: string;
  /** People who cannot be chosen, for example members. */
  except?: ReadonlySet<number>;
}

/** A field in which people are chosen by their names, one after another. */
export function PickPeople({ chosen, label, except }: PickPeopleProps) {
  const words = useSignal('');
  const at = useSignal(0);
  const found = words.value === '' ? [] : suggestedPeople(words.value, chosen.value, except);
  const take = ({ user_id: id }: Person) => {
    chosen.value = [...chosen.value, id];
    words.value = '';
    at.value = 0;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const selected = found[at.value];
    if (step) at.value = Math.max(0, Math.min(found.length - 1, at.value + step));
    else if (event.key === 'Enter' && selected) take(selected);
    else if (event.key === 'Backspace' && words.value === '') chosen.value = chosen.value.slice(0, -1);
    else return;
    event.preventDefault();
  };
  return (
    <div class="pick-people">
      <ChosenPeople chosen={chosen} />
      <input
        role="combobox"
        aria-expanded={found.length > 0}
        aria-autocomplete="list"
        aria-label={label}
        placeholder={label}
        value={words.value}
        onInput={({ currentTarget }) => {
          words.value = currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      {found.length > 0 && <Suggested people={found} at={at.value} take={take} />}
    </div>
  );
}

/** Those who were chosen last: all of a channel may be thousands. */
function ChosenPeople({ chosen }: { chosen: Signal<readonly number[]> }) {
  const most = useSignal(FIRST);
  const hidden = Math.max(0, chosen.value.length - most.value);
  return (
    <>
      {hidden > 0 && (
        <button type="button" class="more" onClick={() => (most.value += STEP)}>
          {texts.value.more(hidden)}
        </button>
      )}
      {chosen.value.slice(hidden).map((id) => (
        <button
          key={id}
          type="button"
          class="pill"
          aria-label={texts.value.removePerson(personName(id))}
          onClick={() => {
            chosen.value = chosen.value.filter((each) => each !== id);
          }}
        >
          {personName(id)} <Icon of={X} />
        </button>
      ))}
    </>
  );
}

function Suggested({ people, at, take }: { people: readonly Person[]; at: number; take: (person: Person) => void }) {
  return (
    <div class="suggestions" role="listbox">
      {people.map((each, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
        <div
          key={each.user_id}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(each)}
        >
          <img src={each.avatar_url ?? `/avatar/${each.user_id}`} alt="" width="20" height="20" />
          <span class="label">{each.full_name}</span>
          {each.delivery_email && <span class="calm">{each.delivery_email}</span>}
        </div>
      ))}
    </div>
  );
}

function suggestedPeople(words: string, chosen: readonly number[], except?: ReadonlySet<number>): Person[] {
  read('people');
  const taken = new Set(chosen);
  const found: Person[] = [];
  for (const each of sortedPeople()) {
    const { user_id: id, full_name: name, delivery_email: address } = each;
    const isFree = !taken.has(id) && !except?.has(id);
    if (isFree && (matches(name, words) || address?.startsWith(words.toLowerCase()))) found.push(each);
    if (found.length === MOST_SUGGESTED) break;
  }
  return found;
}
