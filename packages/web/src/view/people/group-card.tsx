import { Users } from 'lucide';
import { type Group, personName, read } from '../../store/model';
import { texts } from '../../texts/texts';
import { Icon } from '../base/icon';
import { showPopover } from '../base/menu';

const MOST = 50;

/** Groups that people have made; those of roles have no names of their own. */
export function namedGroups(): Group[] {
  const { realm_user_groups: groups } = read('people');
  return groups.filter((each) => !each.is_system_group && !each.deactivated);
}

/** The ids of all members, also by groups within it. */
export function memberIdsOf(group: Group): number[] {
  const { realm_user_groups: groups } = read('people');
  const ids = new Set(group.members);
  for (const id of group.direct_subgroup_ids) {
    const within = groups.find((each) => each.id === id);
    if (within) for (const memberId of memberIdsOf(within)) ids.add(memberId);
  }
  return [...ids];
}

/** Shows who is in a group, beside a mention or its name. */
export function showGroupCard(anchor: HTMLElement, groupId: number): void {
  const group = read().realm_user_groups.find(({ id }) => id === groupId);
  if (group) showPopover(anchor, () => <GroupCard group={group} />);
}

function GroupCard({ group }: { group: Group }) {
  const t = texts.value;
  const memberNames = memberIdsOf(group)
    .map(personName)
    .sort((a, b) => a.localeCompare(b));
  return (
    <div class="card" role="dialog" aria-label={group.name} tabIndex={-1}>
      <h2>
        <Icon of={Users} /> {group.name}
      </h2>
      {group.description && <p>{group.description}</p>}
      <p class="calm">{t.memberCount(memberNames.length)}</p>
      <ul>
        {memberNames.slice(0, MOST).map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      {memberNames.length > MOST && <p class="calm">{t.more(memberNames.length - MOST)}</p>}
    </div>
  );
}
