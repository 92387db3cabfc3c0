import { GROUP_PERMISSION_SETTINGS, type GroupPermissionName } from '@parley/shared/settings';
import { call } from '../../api/call';
import { personName } from '../../store/model';
import { go } from '../../store/place';
import { isAmong } from '../../store/rights';
import { type Group, type GroupSetting, readSettings } from '../../store/settings-state';
import { settingLabels } from '../../texts/setting-texts';
import { settingsTexts } from '../../texts/settings-texts';
import { confirm } from '../base/dialog';
import { attempt } from '../base/notices';
import { Setting } from './controls';
import { showForm } from './form-dialog';
import { GroupSettingField } from './group-setting';
import { Action, Entry, Listing, Part } from './listing';
import { byName, groupName, groupNameOf } from './names';
import { groupOptions, type Option, personOptions } from './options';
import { Picker } from './picker';

/** All groups, or one of them. */
export function Groups({ path }: { path: readonly string[] }) {
  const groups = readSettings('people').realm_user_groups;
  const group = groups.find(({ id }) => id === Number(path[0]));
  return group ? <OneGroup key={group.id} group={group} /> : <AllGroups groups={groups} />;
}

const IRRELEVANT = new Set(['role:internet', 'role:nobody']);

function AllGroups({ groups }: { groups: readonly Group[] }) {
  const t = settingsTexts.value;
  const shown = groups.filter(({ name }) => !IRRELEVANT.has(name));
  const rank = (group: Group) => Number(group.deactivated) * 2 + Number(group.is_system_group);
  return (
    <Part note={t.groupsNote}>
      {isAmong(readSettings().realm_can_create_groups) && <Action isMain label={t.newGroup} run={createGroup} />}
      <Listing
        label={t.groups}
        items={shown.toSorted((a, b) => rank(a) - rank(b) || byName(groupName(a), groupName(b)))}
        textOf={(group) => `${groupName(group)} ${group.description}`}
        keyOf={({ id }) => id}
        draw={(group) => (
          <Entry title={<a href={`#groups/${group.id}`}>{groupName(group)}</a>} detail={detailOf(group)}>
            <OwnMembership group={group} />
          </Entry>
        )}
      />
    </Part>
  );
}

function detailOf({ deactivated, is_system_group: isOfSystem, members, description }: Group): string {
  const t = settingsTexts.value;
  if (isOfSystem) return t.systemGroup;
  return [deactivated && t.deactivated, t.members(members.length), description].filter(Boolean).join(' · ');
}

/** Joins or leaves; guests can do neither by themselves. */
function OwnMembership({ group }: { group: Group }) {
  const t = settingsTexts.value;
  const { user_id: own, is_guest: isGuest } = readSettings();
  if (isGuest || group.is_system_group || group.deactivated) return null;
  const isMember = group.members.includes(own);
  if (!isAmong(isMember ? group.can_leave_group : group.can_join_group)) return null;
  const change = () =>
    attempt(() => call('POST', `/user_groups/${group.id}/members`, { [isMember ? 'delete' : 'add']: [own] }));
  return <Action label={isMember ? t.leave : t.join} of={group.name} run={change} />;
}

function createGroup(): void {
  const t = settingsTexts.value;
  showForm({
    title: t.newGroup,
    action: t.create,
    fields: [
      { kind: 'text', name: 'name', label: t.name, isRequired: true, maxLength: 100 },
      { kind: 'text', name: 'description', label: t.description, maxLength: 1_024 },
      { kind: 'people', name: 'members', label: t.people, initial: [readSettings().user_id] },
      { kind: 'groups', name: 'subgroups', label: t.subgroups },
    ],
    async submit(values) {
      const { group_id: id } = await call<{ group_id: number }>('POST', '/user_groups/create', values);
      go({ kind: 'settings', area: 'groups', path: [String(id)] });
    },
  });
}

function mayEdit(group: Group, ...permissions: readonly GroupPermissionName[]): boolean {
  if (readSettings().is_guest || group.is_system_group || group.deactivated) return false;
  const all = [readSettings().realm_can_manage_all_groups, group.can_manage_group];
  return [...all, ...permissions.map((name) => group[name])].some((value) => isAmong(value));
}

function OneGroup({ group }: { group: Group }) {
  const t = settingsTexts.value;
  const isDisabled = !mayEdit(group);
  const save = (name: string) => (value: unknown) => call('PATCH', `/user_groups/${group.id}`, { [name]: value });
  return (
    <>
      <a href="#groups">← {t.groups}</a>
      <Part title={groupName(group)}>
        {!group.is_system_group &&
          (['name', 'description'] as const).map((name) => (
            <Setting
              key={name}
              {...{ name, label: t[name], value: group[name], isDisabled, save: save(name) }}
              control={{ kind: 'text', maxLength: name === 'name' ? 100 : 400, emptyWord: undefined }}
            />
          ))}
      </Part>
      <Members group={group} />
      {!group.is_system_group && <GroupPermissions group={group} isDisabled={isDisabled} />}
      {!group.is_system_group && <Use group={group} />}
    </>
  );
}

type MemberChange = Partial<Record<'add' | 'delete' | 'add_subgroups' | 'delete_subgroups', number[]>>;

const changeMembers = ({ id }: Group, changes: MemberChange) =>
  attempt(() => call('POST', `/user_groups/${id}/members`, changes));

function Members({ group }: { group: Group }) {
  const t = settingsTexts.value;
  const members: Option[] = [
    ...group.direct_subgroup_ids.map((id) => ({ kind: 'group' as const, id, label: groupNameOf(id) })),
    ...group.members.map((id) => ({ kind: 'person' as const, id, label: personName(id) })),
  ];
  const mayRemove = mayEdit(group, 'can_remove_members_group');
  return (
    <Part title={t.membersTitle}>
      {mayEdit(group, 'can_add_members_group') && <AddMember group={group} />}
      <Listing
        label={t.membersTitle}
        items={members.toSorted((a, b) => a.kind.localeCompare(b.kind) || byName(a.label, b.label))}
        textOf={({ label }) => label}
        keyOf={({ kind, id }) => `${kind}-${id}`}
        draw={({ kind, id, label }) => (
          <Entry title={label} detail={kind === 'group' ? t.subgroup : ''}>
            {mayRemove && (
              <Action
                label={t.remove}
                of={label}
                run={() => changeMembers(group, kind === 'group' ? { delete_subgroups: [id] } : { delete: [id] })}
              />
            )}
          </Entry>
        )}
      />
    </Part>
  );
}

function AddMember({ group }: { group: Group }) {
  const isOther = ({ id, deactivated }: Group) =>
    !deactivated && id !== group.id && !group.direct_subgroup_ids.includes(id);
  const find = (words: string): Option[] => [
    ...groupOptions(words, isOther),
    ...personOptions(words).filter(({ id }) => !group.members.includes(id)),
  ];
  return (
    <Picker
      label={settingsTexts.value.addMember}
      find={find}
      take={({ kind, id }) => void changeMembers(group, kind === 'group' ? { add_subgroups: [id] } : { add: [id] })}
    />
  );
}

const PERMISSION_NAMES = Object.keys(GROUP_PERMISSION_SETTINGS) as GroupPermissionName[];

function GroupPermissions({ group, isDisabled }: { group: Group; isDisabled: boolean }) {
  return (
    <Part title={settingsTexts.value.sections.permissions}>
      {PERMISSION_NAMES.map((name) => (
        <GroupSettingField
          key={name}
          label={settingLabels.value.group[name]}
          declaration={GROUP_PERMISSION_SETTINGS[name]}
          value={group[name]}
          isDisabled={isDisabled}
          save={(value: GroupSetting) =>
            call('PATCH', `/user_groups/${group.id}`, { [name]: { new: value, old: group[name] } })
          }
        />
      ))}
    </Part>
  );
}

function Use({ group: { id, name, deactivated, ...rest } }: { group: Group }) {
  const t = settingsTexts.value;
  if (!mayEdit({ id, name, deactivated: false, ...rest })) return null;
  const deactivate = async () => {
    if (!(await confirm(t.deactivate, t.deactivateQuestion(name), t.deactivate))) return;
    await attempt(() => call('POST', `/user_groups/${id}/deactivate`));
  };
  const reactivate = () => attempt(() => call('PATCH', `/user_groups/${id}`, { deactivated: false }));
  return (
    <Action label={deactivated ? t.reactivate : t.deactivate} of={name} run={deactivated ? reactivate : deactivate} />
  );
}
