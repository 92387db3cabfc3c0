import { personName, read } from '../../store/model';
import { addressOf } from '../../store/place';
import { texts } from '../../texts/texts';
import { showPopover } from '../base/menu';

const MOST_SHOWN = 100;

/** Shows who is in a group, beside a mention of it. */
export function showGroupCard(anchor: HTMLElement, groupId: number): void {
  showPopover(anchor, () => <GroupCard groupId={groupId} />);
}

function GroupCard({ groupId }: { groupId: number }) {
  const group = read('people').realm_user_groups.find(({ id }) => id === groupId);
  if (!group) return <p class="notice">{texts.value.noSuchGroup}</p>;
  const people = group.members.map((id) => ({ id, name: personName(id) })).sort((a, b) => a.name.localeCompare(b.name));
  return (
    <section class="group-card">
      <h2>{group.name}</h2>
      <p>{group.description}</p>
      <p class="quiet-text">{texts.value.peopleCount(people.length)}</p>
      <ul>
        {people.slice(0, MOST_SHOWN).map(({ id, name }) => (
          <li key={id}>
            <a href={addressOf({ kind: 'direct', userIds: [id] })}>{name}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
