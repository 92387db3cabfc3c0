import { useSignal } from '@preact/signals';
import { X } from 'lucide';
import { mayAdminister, mayGive } from '../../store/channel-rights';
import {
  type Channel,
  type Group,
  type GroupSetting,
  personName,
  read,
  type SupportedPermission,
} from '../../store/model';
import { matches } from '../../store/shown-topics';
import { channelTexts } from '../../texts/channel-texts';
import { texts } from '../../texts/texts';
import { type Save, useChosen } from '../base/chosen';
import { Icon } from '../base/icon';
import { sortedPeople } from '../people/people-order';
import { canHold, type Holders, holdersOf, settingOf } from './holders';
import { updateChannel } from './update-channel';

/** Permissions; the server lists them, and the groups that can have them. */
export function PermissionsTab({ channel }: { channel: Channel }) {
  const { server_supported_permission_settings: supported } = read('settings');
  const t = channelTexts.value;
  const mayChange = mayAdminister(channel) && !channel.is_archived;
  const labelled = Object.entries(supported.stream).map(([name, permission]) => ({ name, permission }));
  return (
    <div class="channel-form">
      {!mayChange && <p class="calm">{t.mayNotChange}</p>}
      {labelled.map(({ name, permission }) => (
        <PermissionField
          key={name}
          label={t.permissionLabels[name] ?? name}
          permission={permission}
          value={(channel as unknown as Record<string, GroupSetting>)[name] as GroupSetting}
          isDisabled={!mayGive(name, channel)}
          change={(value) => updateChannel(channel.stream_id, { [name]: { new: value } })}
        />
      ))}
    </div>
  );
}

interface PermissionFieldProps {
  label: string;
  permission: SupportedPermission;
  value: GroupSetting;
  isDisabled: boolean;
  change: Save<GroupSetting>;
}

function PermissionField({ label, permission, value, isDisabled, change }: PermissionFieldProps) {
  const { realm_user_groups: groups } = read('people');
  const nobodyId = groups.find(({ name }) => name === 'role:nobody')?.id ?? 0;
  const { shown, choose } = useChosen(value, change);
  const holders = holdersOf(shown);
  const set = (changed: Holders) => void choose(settingOf(changed, nobodyId));
  return (
    <fieldset class="permission" disabled={isDisabled}>
      <legend>{label}</legend>
      {holders.groupIds.map((id) => (
        <Holder
          key={`group ${id}`}
          label={groupLabel(groups.find((each) => each.id === id))}
          remove={
            id === nobodyId || isDisabled ? null : () => set({ ...holders, groupIds: without(holders.groupIds, id) })
          }
        />
      ))}
      {holders.userIds.map((id) => (
        <Holder
          key={id}
          label={personName(id)}
          remove={isDisabled ? null : () => set({ ...holders, userIds: without(holders.userIds, id) })}
        />
      ))}
      {!isDisabled && <AddHolder holders={holders} permission={permission} set={set} />}
    </fieldset>
  );
}

const without = (ids: readonly number[], id: number) => ids.filter((each) => each !== id);

function groupLabel(group: Group | undefined): string {
  if (!group) return '…';
  return channelTexts.value.roles[group.name] ?? group.name;
}

function Holder({ label, remove }: { label: string; remove: (() => void) | null }) {
  if (!remove) return <span class="pill">{label}</span>;
  return (
    <button type="button" class="pill" aria-label={texts.value.removePerson(label)} onClick={remove}>
      {label} <Icon of={X} />
    </button>
  );
}

const MOST = 8;

interface AddHolderProps {
  holders: Holders;
  permission: SupportedPermission;
  set: (holders: Holders) => void;
}

/** Groups first, because that is what stays right when people come and go. */
function AddHolder({ holders, permission, set }: AddHolderProps) {
  const words = useSignal('');
  const isOpen = useSignal(false);
  const take = (changed: Holders) => {
    words.value = '';
    isOpen.value = false;
    set(changed);
  };
  const found = isOpen.value ? candidates(words.value, holders, permission) : [];
  return (
    <span class="add-holder">
      <input
        aria-label={channelTexts.value.addHolder}
        placeholder={channelTexts.value.addHolder}
        value={words.value}
        onFocus={() => (isOpen.value = true)}
        onBlur={() => (isOpen.value = false)}
        onInput={({ currentTarget }) => {
          words.value = currentTarget.value;
          isOpen.value = true;
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !found[0]) return;
          event.preventDefault();
          take(found[0].holders);
        }}
      />
      {found.length > 0 && <Candidates found={found} take={take} />}
    </span>
  );
}

interface Candidate {
  label: string;
  holders: Holders;
}

function Candidates({ found, take }: { found: readonly Candidate[]; take: (holders: Holders) => void }) {
  return (
    <div class="suggestions">
      {found.map(({ label, holders }) => (
        <button key={label} type="button" onMouseDown={(event) => event.preventDefault()} onClick={() => take(holders)}>
          {label}
        </button>
      ))}
    </div>
  );
}

function candidates(words: string, holders: Holders, permission: SupportedPermission): Candidate[] {
  const { realm_user_groups: groups } = read('people');
  const offered = groups
    .filter((each) => canHold(each, permission) && !holders.groupIds.includes(each.id))
    .map((each) => ({ label: groupLabel(each), holders: withGroup(holders, each) }));
  const people = permission.require_system_group || words === '' ? [] : sortedPeople();
  const found = offered.filter(({ label }) => matches(label, words));
  for (const { user_id: id, full_name: label } of people) {
    if (found.length >= MOST) break;
    if (matches(label, words) && !holders.userIds.includes(id))
      found.push({ label, holders: { ...holders, userIds: [...holders.userIds, id] } });
  }
  return found;
}

/** "Nobody" replaces all other holders. */
function withGroup(holders: Holders, { id, name }: Group): Holders {
  if (name === 'role:nobody') return { userIds: [], groupIds: [id] };
  return { ...holders, groupIds: [...holders.groupIds, id] };
}
