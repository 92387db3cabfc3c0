import { call } from '../../../api/call';
import { readSettings } from '../../../store/settings-state';
import { settingsTexts } from '../../../texts/settings-texts';
import { attempt, say } from '../../base/notices';
import { Flag } from '../controls';
import { showForm } from '../form-dialog';
import { Action, Entry, Listing, Part } from '../listing';
import { useSaving } from '../save';
import { RealmSettingFields } from '../setting-parts';
import { isOwnersMethod, ownersMethods } from '../sign-in-methods';

/** Rules for joining and for accounts. */
export function Joining() {
  const t = settingsTexts.value;
  const { is_admin: isAdmin, realm_welcome_message_custom_text: welcome } = readSettings();
  const tryWelcome = async () => {
    const text = { welcome_message_custom_text: welcome };
    if (await attempt(() => call('POST', '/realm/test_welcome_bot_custom_message', text))) say(t.welcomeSent);
  };
  return (
    <>
      <RealmSettingFields part="joining" />
      {isAdmin && welcome !== '' && <Action label={t.tryWelcome} run={tryWelcome} />}
      <Domains />
      <SignInMethods />
      <RealmSettingFields part="names" />
      <RealmSettingFields part="guests" />
    </>
  );
}

/** Rules for messages. */
export function MessageRules() {
  return (
    <>
      <RealmSettingFields part="editing" />
      <RealmSettingFields part="messages" />
      <RealmSettingFields part="notices" />
      <RealmSettingFields part="mail" />
    </>
  );
}

function Domains() {
  const t = settingsTexts.value;
  const { realm_domains: domains, is_admin: isAdmin, is_owner: isOwner } = readSettings();
  return (
    <Part title={t.domains} note={t.domainsNote}>
      <Listing
        label={t.domains}
        items={domains}
        textOf={({ domain }) => domain}
        keyOf={({ domain }) => domain}
        draw={(each) => <Domain {...each} isDisabled={!isAdmin && !isOwner} />}
      />
      {isAdmin && <Action label={t.addDomain} run={addDomain} />}
    </Part>
  );
}

interface DomainProps {
  domain: string;
  allow_subdomains: boolean;
  isDisabled: boolean;
}

function Domain({ domain, allow_subdomains: allowsSubdomains, isDisabled }: DomainProps) {
  const t = settingsTexts.value;
  const path = `/realm/domains/${encodeURIComponent(domain)}`;
  const { value, change } = useSaving<unknown>(allowsSubdomains, (chosen) =>
    call('PATCH', path, { allow_subdomains: chosen }),
  );
  return (
    <Entry title={domain}>
      <span>
        <Flag id={`domain-${domain}`} value={value === true} isDisabled={isDisabled} change={change} />{' '}
        <label for={`domain-${domain}`}>{t.subdomainsToo}</label>
      </span>
      {!isDisabled && <Action label={t.remove} of={domain} run={() => attempt(() => call('DELETE', path))} />}
    </Entry>
  );
}

function addDomain(): void {
  const t = settingsTexts.value;
  showForm({
    title: t.addDomain,
    action: t.add,
    fields: [
      { kind: 'text', name: 'domain', label: t.domain, hint: 'example.org', isRequired: true },
      { kind: 'flag', name: 'allow_subdomains', label: t.subdomainsToo },
    ],
    submit: (values) => call('POST', '/realm/domains', values),
  });
}

function SignInMethods() {
  const t = settingsTexts.value;
  const { realm_authentication_methods: methods, is_owner: isOwner } = readSettings();
  const enabled = Object.fromEntries(Object.entries(methods).map(([name, each]) => [name, each.enabled]));
  const { value, change } = useSaving(enabled, (chosen) =>
    call('PATCH', '/realm', { authentication_methods: ownersMethods(chosen) }),
  );
  return (
    <Part title={t.realmParts.methods}>
      {Object.entries(methods).map(([name, { available }]) => (
        <div key={name} class="setting flag">
          <label for={`method-${name}`}>{t.methods[name] ?? name}</label>
          <Flag
            id={`method-${name}`}
            value={value[name] === true}
            isDisabled={!isOwner || !available || !isOwnersMethod(name)}
            change={(isOn) => change({ ...value, [name]: isOn === true })}
          />
        </div>
      ))}
    </Part>
  );
}
