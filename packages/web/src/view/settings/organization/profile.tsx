import { call, callWithFile } from '../../../api/call';
import { readSettings } from '../../../store/settings-state';
import { settingsTexts } from '../../../texts/settings-texts';
import { Setting } from '../controls';
import { refusal, showForm } from '../form-dialog';
import { Action, Part } from '../listing';
import { Picture } from '../picture';
import { RealmSettingFields } from '../setting-parts';

const LIMITS = { name: 40, description: 1_000 };

/** The organization's name and pictures. */
export function OrganizationProfile() {
  const t = settingsTexts.value;
  const state = readSettings();
  const isDisabled = !state.is_admin;
  const save = (name: string) => (value: unknown) => call('PATCH', '/realm', { [name]: value });
  return (
    <>
      <Part>
        <Setting
          {...{ name: 'name', label: t.name, value: state.realm_name, isDisabled, save: save('name') }}
          control={{ kind: 'text', maxLength: LIMITS.name, emptyWord: undefined }}
        />
        <Setting
          {...{ name: 'description', label: t.description, value: state.realm_description, isDisabled }}
          control={{ kind: 'text', maxLength: LIMITS.description, emptyWord: undefined }}
          save={save('description')}
        />
      </Part>
      <RealmSettingFields part="kind" />
      <Part title={t.icon}>
        <Picture
          {...{ address: state.realm_icon_url, label: t.icon, isDisabled }}
          upload={(file) => callWithFile('POST', '/realm/icon', file)}
          remove={state.realm_icon_source === 'U' ? () => call('DELETE', '/realm/icon') : undefined}
        />
      </Part>
      <Part title={t.logo} note={t.logoNote}>
        <Logo {...{ address: state.realm_logo_url, label: t.logoLight, isNight: false, isDisabled }} />
        <Logo {...{ address: state.realm_night_logo_url, label: t.logoDark, isNight: true, isDisabled }} />
      </Part>
      {state.is_owner && (
        <Part title={t.closeOrganization} note={t.closeOrganizationNote}>
          <Action label={t.closeOrganization} run={close} />
        </Part>
      )}
    </>
  );
}

interface LogoProps {
  address: string;
  label: string;
  isNight: boolean;
  isDisabled: boolean;
}

function Logo({ address, label, isNight, isDisabled }: LogoProps) {
  const { realm_logo_source: day, realm_night_logo_source: night } = readSettings();
  const isUploaded = (isNight ? night : day) === 'U';
  return (
    <div class={isNight ? 'logo dark' : 'logo light'}>
      <Picture
        {...{ address, label, isDisabled, isWide: true }}
        upload={(file) => callWithFile('POST', '/realm/logo', file, { night: isNight })}
        remove={isUploaded ? () => call('DELETE', '/realm/logo', { night: isNight }) : undefined}
      />
    </div>
  );
}

function close(): void {
  const t = settingsTexts.value;
  const { realm_name: name } = readSettings();
  showForm({
    title: t.closeOrganization,
    note: t.closeOrganizationNote,
    action: t.closeOrganization,
    fields: [{ kind: 'text', name: 'name', label: t.typeToConfirm(name), isRequired: true }],
    async submit({ name: typed }) {
      if (typed !== name) throw refusal(t.notConfirmed);
      await call('POST', '/realm/deactivate');
      location.assign('/');
    },
  });
}
