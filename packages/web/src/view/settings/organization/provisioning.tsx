import { call } from '../../../api/call';
import { settingsTexts } from '../../../texts/settings-texts';
import { language } from '../../../texts/texts';
import { confirm, Dialog, showDialog } from '../../base/dialog';
import { attempt } from '../../base/notices';
import { useFetched } from '../fetched';
import { showForm } from '../form-dialog';
import { Action, Entry, Listing, Part } from '../listing';
import { timeOf } from '../names';
import { MEMBER, roleChoices, roleName } from '../roles';
import { Copyable } from '../secret';

interface Token {
  id: number;
  name: string;
  date_created: number;
  former_ends_at: number | null;
}

interface GivenRole {
  group_name: string;
  role: number;
}

interface Answer {
  scim_tokens: Token[];
  scim_roles: GivenRole[];
}

const [TOKENS, ROLES] = ['/realm/scim_tokens', '/realm/scim_roles'];
const HOUR_MINUTES = 60;
const OVERLAPS = [0, HOUR_MINUTES, 24 * HOUR_MINUTES];

/** Identity providers that keep accounts and groups (SCIM); for owners. */
export function Provisioning() {
  const t = settingsTexts.value;
  const { answer, load } = useFetched<Answer>(TOKENS);
  return (
    <>
      <Part title={t.provisioning} note={t.provisioningNote}>
        <Listing
          label={t.provisioning}
          items={answer.value?.scim_tokens ?? []}
          textOf={({ name }) => name}
          keyOf={({ id }) => id}
          draw={(token) => <TokenEntry token={token} load={load} />}
        />
        <Action label={t.newToken} run={() => makeToken(load)} />
      </Part>
      <Part title={t.groupRoles} note={t.groupRolesNote}>
        <Listing
          label={t.groupRoles}
          items={answer.value?.scim_roles ?? []}
          textOf={({ group_name: name }) => name}
          keyOf={({ group_name: name }) => name}
          draw={(given) => <RoleEntry given={given} load={load} />}
        />
        <Action label={t.newGroupRole} run={() => giveRole(load)} />
      </Part>
    </>
  );
}

type Load = () => Promise<void>;

function TokenEntry({ token: { id, name, date_created: made, former_ends_at: end }, load }: TokenEntryProps) {
  const t = settingsTexts.value;
  const overlap = end === null ? '' : ` · ${t.formerUntil(timeOf(end, language.value))}`;
  const revoke = async () => {
    if (!(await confirm(t.revoke, t.revokeTokenQuestion(name), t.revoke))) return;
    await attempt(() => call('DELETE', `${TOKENS}/${id}`));
    await load();
  };
  return (
    <Entry title={name} detail={t.since(timeOf(made, language.value)) + overlap}>
      <Action label={t.renew} of={name} run={() => renewToken(id, load)} />
      <Action label={t.revoke} of={name} run={revoke} />
    </Entry>
  );
}

interface TokenEntryProps {
  token: Token;
  load: Load;
}

interface NewToken {
  token: string;
  base_url: string;
}

function showToken({ token, base_url: address }: NewToken): void {
  const t = settingsTexts.value;
  showDialog((close) => (
    <Dialog title={t.newToken} close={close}>
      <p>{t.shownOnce}</p>
      <h3>{t.bearerToken}</h3>
      <Copyable text={token} label={t.bearerToken} />
      <h3>{t.baseAddress}</h3>
      <Copyable text={address} label={t.baseAddress} />
    </Dialog>
  ));
}

function makeToken(load: Load): void {
  const t = settingsTexts.value;
  showForm({
    title: t.newToken,
    note: t.newTokenNote,
    action: t.create,
    fields: [{ kind: 'text', name: 'name', label: t.tokenName, isRequired: true, maxLength: 100 }],
    async submit(values) {
      showToken(await call<NewToken>('POST', TOKENS, values));
      await load();
    },
  });
}

function renewToken(id: number, load: Load): void {
  const t = settingsTexts.value;
  const choices = OVERLAPS.map((minutes) => [minutes, t.overlapChoices[minutes] ?? ''] as const);
  showForm({
    title: t.renew,
    action: t.renew,
    fields: [{ kind: 'choice', name: 'overlap_minutes', label: t.formerEnds, choices }],
    async submit(values) {
      showToken(await call<NewToken>('POST', `${TOKENS}/${id}/rotate`, values));
      await load();
    },
  });
}

function RoleEntry({ given: { group_name: name, role }, load }: { given: GivenRole; load: Load }) {
  const t = settingsTexts.value;
  const end = async () => {
    await attempt(() => call('POST', ROLES, { group_name: name, role: null }));
    await load();
  };
  return (
    <Entry title={name} detail={roleName(role)}>
      <Action label={t.remove} of={name} run={end} />
    </Entry>
  );
}

function giveRole(load: Load): void {
  const t = settingsTexts.value;
  showForm({
    title: t.newGroupRole,
    action: t.save,
    fields: [
      { kind: 'text', name: 'group_name', label: t.providersGroup, isRequired: true, maxLength: 100 },
      { kind: 'choice', name: 'role', label: t.role, initial: MEMBER, choices: roleChoices(true) },
    ],
    async submit(values) {
      await call('POST', ROLES, values);
      await load();
    },
  });
}
