import { call } from '../../../api/call';
import { readSettings } from '../../../store/settings-state';
import { settingsTexts } from '../../../texts/settings-texts';
import { confirm, Dialog, showDialog } from '../../base/dialog';
import { attempt } from '../../base/notices';
import { type Fetched, useFetched } from '../fetched';
import { type FormField, showForm } from '../form-dialog';
import { Action, Entry, Listing, Part } from '../listing';
import { Copyable } from '../secret';
import { readGroupRules, readRoleRules, writeGroupRules, writeRoleRules } from '../sign-in-rules';
import { Provisioning } from './provisioning';

interface Provider {
  id: number;
  display_name: string;
  issuer: string;
  client_id: string;
  has_client_secret: boolean;
  scopes: string[];
  new_accounts: string;
  keys_end_at: string;
  groups_claim: string;
  group_rules: { value: string; group_id: number }[];
  roles_claim: string;
  role_rules: { value: string; role: number }[];
  callback_url: string;
  logout_url: string;
}

const PATH = '/realm/oidc_providers';

/** Through whom people sign in, and who keeps the accounts. */
export function SignIn() {
  const t = settingsTexts.value;
  const { answer, load } = useFetched<{ oidc_providers: Provider[] }>(PATH);
  const { is_owner: isOwner } = readSettings();
  return (
    <>
      <Part title={t.providers} note={t.providersNote}>
        <Listing
          label={t.providers}
          items={answer.value?.oidc_providers ?? []}
          textOf={({ display_name: name, issuer }) => `${name} ${issuer}`}
          keyOf={({ id }) => id}
          draw={(provider) => <ProviderEntry provider={provider} isOwner={isOwner} load={load} />}
        />
        {isOwner && <Action label={t.addProvider} run={() => addProvider(load)} />}
      </Part>
      {isOwner && <Provisioning />}
    </>
  );
}

type Load = Fetched<unknown>['load'];

function ProviderEntry({ provider, isOwner, load }: { provider: Provider; isOwner: boolean; load: Load }) {
  const t = settingsTexts.value;
  const { display_name: name, issuer } = provider;
  return (
    <Entry title={name} detail={issuer}>
      <Action label={t.test} of={name} run={() => test(provider)} />
      {isOwner && <Action label={t.edit} of={name} run={() => editProvider(provider, load)} />}
      {isOwner && <Action label={t.remove} of={name} run={() => removeProvider(provider, load)} />}
    </Entry>
  );
}

interface Tested {
  faults: string[];
  keys: number;
  has_backchannel_logout: boolean;
}

/** The provider's present answer, and the addresses to register there. */
async function test(provider: Provider): Promise<void> {
  const tested = await attempt(() => call<Tested>('POST', `${PATH}/${provider.id}/test`));
  if (tested) showDialog((close) => <Result provider={provider} tested={tested} close={close} />);
}

function Result({ provider, tested, close }: { provider: Provider; tested: Tested; close: () => void }) {
  const t = settingsTexts.value;
  const { faults, keys, has_backchannel_logout: tellsLogout } = tested;
  return (
    <Dialog title={provider.display_name} close={close}>
      {faults.length > 0 ? (
        <ul class="error" role="alert">
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      ) : (
        <p role="status">{t.testPassed(keys)}</p>
      )}
      {faults.length === 0 && !tellsLogout && <p>{t.withoutLogout}</p>}
      <Addresses callback={provider.callback_url} logout={provider.logout_url} />
    </Dialog>
  );
}

function Addresses({ callback, logout }: { callback: string; logout: string }) {
  const t = settingsTexts.value;
  return (
    <>
      <h3>{t.callbackAddress}</h3>
      <Copyable text={callback} label={t.callbackAddress} />
      <h3>{t.logoutAddress}</h3>
      <Copyable text={logout} label={t.logoutAddress} />
    </>
  );
}

function fieldsOf(former?: Provider): FormField[] {
  const t = settingsTexts.value;
  const text = (name: keyof Provider, label: string) =>
    ({ kind: 'text', name, label, initial: String(former?.[name] ?? ''), maxLength: 500 }) as const;
  return [
    { ...text('display_name', t.displayName), isRequired: true },
    { ...text('issuer', t.issuer), isRequired: true, hint: 'https://id.example.org' },
    { ...text('client_id', t.clientId), isRequired: true },
    {
      ...{ kind: 'password', name: 'client_secret', label: t.clientSecret, maxLength: 500 },
      hint: former?.has_client_secret ? t.clientSecretKept : undefined,
    },
    {
      ...{ kind: 'choice', name: 'new_accounts', label: t.newAccounts, initial: former?.new_accounts },
      choices: Object.entries(t.newAccountsChoices),
    },
    {
      ...{ kind: 'choice', name: 'keys_end_at', label: t.keysEndAt, initial: former?.keys_end_at },
      choices: Object.entries(t.keysEndAtChoices),
    },
  ];
}

/** The fields that most providers need. */
function detailFields(former: Provider): FormField[] {
  const t = settingsTexts.value;
  return [
    { kind: 'text', name: 'scopes', label: t.scopes, initial: former.scopes.join(' ') },
    { kind: 'text', name: 'groups_claim', label: t.groupsClaim, initial: former.groups_claim, hint: 'groups' },
    {
      ...{ kind: 'area', name: 'group_rules', label: t.groupRules, hint: t.groupRulesHint },
      initial: writeGroupRules(former.group_rules),
    },
    { kind: 'text', name: 'roles_claim', label: t.rolesClaim, initial: former.roles_claim, hint: 'realm_access.roles' },
    {
      ...{ kind: 'area', name: 'role_rules', label: t.roleRules, hint: t.roleRulesHint },
      initial: writeRoleRules(former.role_rules),
    },
  ];
}

interface Added {
  callback_url: string;
  logout_url: string;
}

function addProvider(load: Load): void {
  const t = settingsTexts.value;
  showForm({
    title: t.addProvider,
    action: t.add,
    fields: fieldsOf(),
    async submit(values) {
      const { callback_url: callback, logout_url: logout } = await call<Added>('POST', PATH, values);
      showDialog((close) => (
        <Dialog title={String(values['display_name'])} close={close}>
          <Addresses callback={callback} logout={logout} />
        </Dialog>
      ));
      await load();
    },
  });
}

function editProvider(provider: Provider, load: Load): void {
  const t = settingsTexts.value;
  showForm({
    title: t.provider,
    action: t.save,
    fields: [...fieldsOf(provider), ...detailFields(provider)],
    async submit({ client_secret: secret, scopes, group_rules: groups, role_rules: roles, ...values }) {
      await call('PATCH', `${PATH}/${provider.id}`, {
        ...values,
        ...(secret !== '' && { client_secret: secret }),
        scopes: String(scopes).split(/\s+/).filter(Boolean),
        group_rules: readGroupRules(String(groups)),
        role_rules: readRoleRules(String(roles)),
      });
      await load();
    },
  });
}

async function removeProvider({ id, display_name: name }: Provider, load: Load): Promise<void> {
  const t = settingsTexts.value;
  if (!(await confirm(t.remove, t.removeProviderQuestion(name), t.remove))) return;
  await attempt(() => call('DELETE', `${PATH}/${id}`));
  await load();
}
