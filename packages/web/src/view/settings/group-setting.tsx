import type { PermissionSetting } from '@parley/shared/settings';
import { X } from 'lucide';
import { useId } from 'preact/hooks';
import { personName } from '../../store/model';
import { type GroupSetting, readSettings } from '../../store/settings-state';
import { settingsTexts } from '../../texts/settings-texts';
import type { Save } from '../base/chosen';
import { IconButton } from '../base/icon';
import { Choice, Saved } from './controls';
import { groupSettingOf, type Holders, holdersOf, mayHold } from './group-settings';
import { groupName, groupNameOf } from './names';
import { groupOptions, type Option, personOptions } from './options';
import { Picker } from './picker';
import { useSaving } from './save';

interface GroupSettingProps {
  label: string;
  declaration: PermissionSetting;
  value: GroupSetting;
  isDisabled: boolean;
  save: Save<GroupSetting>;
}

/** The field for the holders of a permission. */
export function GroupSettingField({ label, save, ...props }: GroupSettingProps) {
  const id = useId();
  const { isSaved, ...saving } = useSaving(props.value, save);
  const Control = props.declaration.requiresSystemGroup ? SystemGroup : AnyHolders;
  return (
    <div class="setting permission">
      <label for={id}>{label}</label>
      <Control id={id} {...props} {...saving} />
      <Saved isShown={isSaved.value} />
    </div>
  );
}

interface HoldersProps extends Omit<GroupSettingProps, 'label' | 'save'> {
  id: string;
  change: (value: GroupSetting) => unknown;
}

function SystemGroup({ id, declaration, value, isDisabled, change }: HoldersProps) {
  const groups = readSettings().realm_user_groups.filter((group) => mayHold(group, declaration));
  const choices = groups.map((group) => [group.id, groupName(group)] as const);
  return <Choice {...{ id, value, isDisabled, choices }} change={(groupId) => change(groupId as number)} />;
}

export function AnyHolders({ id, declaration, value, isDisabled, change }: HoldersProps) {
  const holders = holdersOf(value);
  const nobodyId = readSettings().realm_user_groups.find(({ name }) => name === 'role:nobody')?.id;
  const set = (changed: Holders) =>
    void change(groupSettingOf(changed, declaration.allowsNobody ? nobodyId : undefined));
  const find = (words: string): Option[] => [
    ...groupOptions(words, (group) => mayHold(group, declaration) && !holders.groupIds.includes(group.id)),
    ...personOptions(words).filter((each) => !holders.userIds.includes(each.id)),
  ];
  const take = ({ kind, id: takenId }: Option) => {
    const name = kind === 'group' ? 'groupIds' : 'userIds';
    set({ ...holders, [name]: [...holders[name], takenId] });
  };
  const remove = (name: keyof Holders, removedId: number) => () =>
    set({ ...holders, [name]: holders[name].filter((each) => each !== removedId) });
  const mayRemove = (groupId: number) => !isDisabled && groupId !== nobodyId;
  return (
    <span class="holders">
      {holders.groupIds.map((groupId) => (
        <Chip
          key={`group-${groupId}`}
          label={groupNameOf(groupId)}
          remove={mayRemove(groupId) ? remove('groupIds', groupId) : undefined}
        />
      ))}
      {holders.userIds.map((userId) => (
        <Chip
          key={`person-${userId}`}
          label={personName(userId)}
          remove={isDisabled ? undefined : remove('userIds', userId)}
        />
      ))}
      {!isDisabled && <Picker id={id} find={find} take={take} />}
    </span>
  );
}

export function Chip({ label, remove }: { label: string; remove?: (() => void) | undefined }) {
  return (
    <span class="holder">
      {label}
      {remove && <IconButton of={X} label={`${settingsTexts.value.remove}: ${label}`} onClick={remove} />}
    </span>
  );
}
