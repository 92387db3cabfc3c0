import { computed, signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { call } from '../../../api/call';
import { personName } from '../../../store/model';
import { byName } from '../../../store/people-groups';
import { type Account, readSettings } from '../../../store/settings-state';
import { settingsTexts } from '../../../texts/settings-texts';
import { texts } from '../../../texts/texts';
import { confirm, Dialog, showDialog } from '../../base/dialog';
import { attempt, say } from '../../base/notices';
import { sortedPeople } from '../../people/people-order';
import { Choice, Setting } from '../controls';
import { showForm } from '../form-dialog';
import { Action, Entry, Listing, Part } from '../listing';
import { ProfileFields } from '../profile-fields';
import { roleChoices, roleName } from '../roles';
import { useSaving } from '../save';

const shownList = signal<'active' | 'deactivated'>('active');

const shownPeople = computed(() =>
  shownList.value === 'active' ? sortedPeople() : byName(readSettings('people').realm_non_active_users),
);

/** Everybody who has an account, and what administrators do with them. */
export function People() {
  const t = settingsTexts.value;
  const people = shownPeople.value.filter(({ is_bot: isBot }) => !isBot) as Account[];
  return (
    <Part>
      <div class="tabs">
        {(['active', 'deactivated'] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            class="secondary"
            aria-pressed={shownList.value === kind}
            onClick={() => {
              shownList.value = kind;
            }}
          >
            {kind === 'active' ? t.activePeople : t.deactivatedPeople}
          </button>
        ))}
      </div>
      <Listing
        key={shownList.value}
        label={t.sections.people}
        items={people}
        textOf={(person) => `${person.full_name} ${person.delivery_email ?? person.email} ${roleName(person.role)}`}
        keyOf={({ user_id: id }) => id}
        draw={(person) => <PersonEntry person={person} isActive={shownList.value === 'active'} />}
      />
    </Part>
  );
}

function PersonEntry({ person, isActive }: { person: Account; isActive: boolean }) {
  const t = settingsTexts.value;
  const { is_admin: isAdmin, is_owner: isOwner, user_id: ownId } = readSettings();
  const { user_id: id, full_name: name } = person;
  // Only owners change owners.
  const mayEdit = isAdmin && (isOwner || person.role > 100);
  const reactivate = () => attempt(() => call('POST', `/users/${id}/reactivate`));
  return (
    <Entry
      picture={<img src={person.avatar_url ?? `/avatar/${id}`} alt="" width="32" height="32" loading="lazy" />}
      title={name}
      detail={`${person.delivery_email ?? ''} ${isAdmin ? '' : roleName(person.role)}`}
    >
      {isAdmin && isActive && <RoleChoice person={person} isDisabled={!mayEdit} />}
      {mayEdit && isActive && <Action label={t.edit} of={name} run={() => editPerson(person)} />}
      {mayEdit && isActive && id !== ownId && (
        <Action label={t.deactivate} of={name} run={() => deactivatePerson(person)} />
      )}
      {mayEdit && !isActive && <Action label={t.reactivate} of={name} run={reactivate} />}
    </Entry>
  );
}

function RoleChoice({ person, isDisabled }: { person: Account; isDisabled: boolean }) {
  const { value, change } = useSaving<unknown>(person.role, (role) =>
    call('PATCH', `/users/${person.user_id}`, { role }),
  );
  return (
    <Choice
      id={`role-${person.user_id}`}
      label={`${settingsTexts.value.role}: ${person.full_name}`}
      {...{ value, change, isDisabled }}
      choices={roleChoices(readSettings().is_owner || isDisabled)}
    />
  );
}

function deactivatePerson({ user_id: id, full_name: name }: Account): void {
  const t = settingsTexts.value;
  showForm({
    title: t.deactivate,
    note: t.deactivateQuestion(name),
    action: t.deactivate,
    fields: [
      { kind: 'flag', name: 'mails', label: t.mailAboutIt },
      { kind: 'area', name: 'comment', label: t.comment, maxLength: 2_000 },
    ],
    submit: ({ mails, comment }) =>
      call('DELETE', `/users/${id}`, { ...(mails === true && { deactivation_notification_comment: comment }) }),
  });
}

/** For when somebody else was linked to the account, or its holder has got another one at the provider. */
async function forgetIdentities({ user_id: id, full_name: name }: Account): Promise<void> {
  const t = settingsTexts.value;
  if (!(await confirm(t.forgetIdentities, t.forgetIdentitiesQuestion(name), t.forgetIdentities))) return;
  if (await attempt(() => call('DELETE', `/users/${id}/oidc_identities`))) say(t.identitiesForgotten);
}

function editPerson(person: Account): void {
  showDialog((close) => <EditPerson person={person} close={close} />);
}

function EditPerson({ person: { user_id: id }, close }: { person: Account; close: () => void }) {
  const t = settingsTexts.value;
  const person = readSettings('people').realm_users.find((each) => each.user_id === id) as Account | undefined;
  const isGone = person === undefined;
  // Another administrator has deactivated the account.
  useLayoutEffect(() => {
    if (!isGone) return;
    say(texts.value.personIsAway(personName(id)), true);
    close();
  }, [isGone]);
  if (isGone) return null;
  const saveField = (fieldId: number, value: string | number[]) =>
    call('PATCH', `/users/${id}`, { profile_data: [{ id: fieldId, value: value.length === 0 ? null : value }] });
  return (
    <Dialog title={person.full_name} close={close} class="form-dialog">
      <Setting
        {...{ name: 'full_name', label: t.name, value: person.full_name }}
        control={{ kind: 'text', maxLength: 100, emptyWord: undefined }}
        save={(name) => call('PATCH', `/users/${id}`, { full_name: name })}
      />
      <Setting
        {...{ name: 'email', label: t.email, value: person.delivery_email ?? '' }}
        control={{ kind: 'text', maxLength: 254, emptyWord: undefined }}
        save={(email) => call('PATCH', `/users/${id}`, { new_email: email })}
      />
      <ProfileFields account={person} mayEditAll save={saveField} />
      {readSettings().is_owner && <Action label={t.forgetIdentities} run={() => forgetIdentities(person)} />}
    </Dialog>
  );
}
