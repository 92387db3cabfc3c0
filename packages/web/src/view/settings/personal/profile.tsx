import { call, callWithFile } from '../../../api/call';
import { type Account, readSettings } from '../../../store/settings-state';
import { settingsTexts } from '../../../texts/settings-texts';
import { confirm } from '../../base/dialog';
import { attempt, say } from '../../base/notices';
import { showForm } from '../form-dialog';
import { Action, Entry, Part } from '../listing';
import { Picture } from '../picture';
import { ProfileFields } from '../profile-fields';

/** One's own name, picture, status and profile. */
export function Profile() {
  const t = settingsTexts.value;
  const state = readSettings('people');
  const own = state.realm_users.find(({ user_id }) => user_id === state.user_id) as Account | undefined;
  // The server leaves such a name as it is, without a word.
  const isKept = (isForAdministrators: boolean) => isForAdministrators && !state.is_admin;
  return (
    <>
      <OwnPicture isKept={isKept(state.realm_avatar_changes_disabled)} />
      <Part title={t.account}>
        <Datum
          title={t.name}
          value={state.full_name}
          isKept={isKept(state.realm_name_changes_disabled)}
          run={changeName}
        />
        <Datum
          {...{ title: t.email, value: state.delivery_email, run: changeEmail }}
          isKept={isKept(state.realm_email_changes_disabled)}
        />
        <Entry title={t.password}>
          <Action label={t.change} of={t.password} run={changePassword} />
        </Entry>
      </Part>
      {own && <ProfileFields account={own} mayEditAll={false} save={saveField} />}
      <Part title={t.deactivate} note={t.deactivateOwnNote}>
        <Action label={t.deactivateOwn} run={deactivate} />
      </Part>
    </>
  );
}

function OwnPicture({ isKept }: { isKept: boolean }) {
  const t = settingsTexts.value;
  const { avatar_source: source, avatar_url: address } = readSettings('people');
  return (
    <Part title={t.picture} {...(isKept && { note: t.onlyAdministrators })}>
      <Picture
        {...{ address, label: t.picture, isDisabled: isKept }}
        upload={(file) => callWithFile('POST', '/users/me/avatar', file)}
        remove={source === 'U' ? () => call('DELETE', '/users/me/avatar') : undefined}
      />
    </Part>
  );
}

interface DatumProps {
  title: string;
  value: string;
  /** Only administrators change it. */
  isKept: boolean;
  run: () => void;
}

function Datum({ title, value, isKept, run }: DatumProps) {
  const t = settingsTexts.value;
  return (
    <Entry title={title} detail={isKept ? `${value} · ${t.onlyAdministrators}` : value}>
      {!isKept && <Action label={t.change} of={title} run={run} />}
    </Entry>
  );
}

const saveField = (id: number, value: string | number[]) =>
  value.length === 0
    ? call('DELETE', '/users/me/profile_data', { data: [id] })
    : call('PATCH', '/users/me/profile_data', { data: [{ id, value }] });

function changeName(): void {
  const t = settingsTexts.value;
  showForm({
    title: t.name,
    action: t.save,
    fields: [
      {
        kind: 'text',
        name: 'full_name',
        label: t.name,
        initial: readSettings().full_name,
        isRequired: true,
        maxLength: 100,
      },
    ],
    submit: (values) => call('PATCH', '/settings', values),
  });
}

function changeEmail(): void {
  const t = settingsTexts.value;
  showForm({
    title: t.email,
    note: t.emailNote,
    action: t.save,
    fields: [{ kind: 'email', name: 'email', label: t.email, isRequired: true }],
    submit: async (values) => {
      await call('PATCH', '/settings', values);
      say(t.emailSent);
    },
  });
}

function changePassword(): void {
  const t = settingsTexts.value;
  const { password_min_length: minLength } = readSettings();
  showForm({
    title: t.password,
    note: t.passwordNote,
    action: t.save,
    fields: [
      { kind: 'password', name: 'old_password', label: t.oldPassword, isRequired: true },
      { kind: 'password', name: 'new_password', label: t.newPassword, isRequired: true, minLength },
    ],
    submit: async (values) => {
      await call('PATCH', '/settings', values);
      say(t.saved);
    },
  });
}

async function deactivate(): Promise<void> {
  const t = settingsTexts.value;
  if (!(await confirm(t.deactivateOwn, t.deactivateOwnNote, t.deactivateOwn))) return;
  const isDone = await attempt(() => call('DELETE', '/users/me'));
  if (isDone) location.assign('/accounts/login');
}
