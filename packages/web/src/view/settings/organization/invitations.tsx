import { ApiError, call } from '../../../api/call';
import { personName } from '../../../store/model';
import { isAmong } from '../../../store/rights';
import { readSettings } from '../../../store/settings-state';
import { settingsTexts } from '../../../texts/settings-texts';
import { language } from '../../../texts/texts';
import { attempt, say, wordsOf } from '../../base/notices';
import { useFetched } from '../fetched';
import { type FormField, refusal, showForm } from '../form-dialog';
import { Action, Entry, Listing, Part } from '../listing';
import { timeOf } from '../names';
import { MEMBER, roleChoices, roleName } from '../roles';
import { showSecret } from '../secret';

interface Invitation {
  id: number;
  invited_by_user_id: number;
  invited: number;
  expiry_date: number | null;
  invited_as: number;
  email?: string;
  link_url?: string;
  is_multiuse: boolean;
}

/** Invitations that can still be accepted. */
export function Invitations() {
  const t = settingsTexts.value;
  const { can_invite_others_to_realm: mayInvite, realm_create_multiuse_invite_group: linkMakers } = readSettings();
  const { answer, load } = useFetched<{ invites: Invitation[] }>('/invites', {}, 'invites_changed');
  return (
    <Part>
      <div class="tabs">
        {mayInvite && <Action isMain label={t.inviteByMail} run={() => inviteByMail(load)} />}
        {isAmong(linkMakers) && <Action label={t.makeLink} run={() => makeLink(load)} />}
      </div>
      <Listing
        label={t.sections.invitations}
        items={answer.value?.invites ?? []}
        textOf={({ email, link_url: url, invited_by_user_id: by }) => `${email ?? url} ${personName(by)}`}
        keyOf={({ id, is_multiuse: isLink }) => `${isLink}-${id}`}
        draw={(invitation) => <InvitationEntry invitation={invitation} load={load} />}
      />
    </Part>
  );
}

function InvitationEntry({ invitation, load }: { invitation: Invitation; load: () => Promise<void> }) {
  const t = settingsTexts.value;
  const { id, email, link_url: url, expiry_date: end } = invitation;
  const title = email ?? t.link;
  const until = end === null ? t.neverEnds : t.until(timeOf(end, language.value));
  const path = url === undefined ? `/invites/${id}` : `/invites/multiuse/${id}`;
  const act = async (method: string, address: string, done: string) => {
    if (await attempt(() => call(method, address))) say(done);
    await load();
  };
  return (
    <Entry
      title={title}
      detail={`${roleName(invitation.invited_as)} · ${personName(invitation.invited_by_user_id)} · ${until}`}
    >
      {url !== undefined && <Action label={t.showLink} of={until} run={() => showSecret(t.link, url, until)} />}
      {email !== undefined && (
        <Action label={t.sendAgain} of={email} run={() => act('POST', `${path}/resend`, t.invited)} />
      )}
      <Action label={t.revoke} of={title} run={() => act('DELETE', path, t.revoked)} />
    </Entry>
  );
}

/** Of the addresses that were not invited. */
const MOST_NAMED = 20;

const HOUR = 60;
const DAY = 24 * HOUR;

function termsFields(): FormField[] {
  const t = settingsTexts.value;
  const { is_owner: isOwner, is_admin: isAdmin } = readSettings();
  const expiries = [
    ...[DAY, 3 * DAY, 10 * DAY, 30 * DAY].map((minutes) => [minutes, t.days(minutes / DAY)] as const),
    [null, t.neverEnds] as const,
  ];
  const roles = roleChoices(isOwner).filter(([role]) => isAdmin || role >= MEMBER);
  return [
    { kind: 'choice', name: 'invite_as', label: t.role, initial: MEMBER, choices: roles },
    { kind: 'choice', name: 'invite_expires_in_minutes', label: t.validFor, initial: 10 * DAY, choices: expiries },
    { kind: 'flag', name: 'include_realm_default_subscriptions', label: t.defaultChannelsToo, initial: true },
    { kind: 'channels', name: 'stream_ids', label: t.moreChannels },
    { kind: 'groups', name: 'group_ids', label: t.groups },
  ];
}

function inviteByMail(load: () => Promise<void>): void {
  const t = settingsTexts.value;
  const { is_admin: isAdmin } = readSettings();
  showForm({
    title: t.inviteByMail,
    action: t.invite,
    fields: [
      { kind: 'area', name: 'invitee_emails', label: t.addresses, hint: t.addressesHint, isRequired: true },
      ...termsFields(),
      { kind: 'flag', name: 'notify_referrer_on_join', label: t.tellMe, initial: true },
      ...(isAdmin ? [welcomeField()] : []),
    ],
    async submit({ welcome_message_custom_text: welcome, ...values }) {
      const more = welcome === '' ? {} : { welcome_message_custom_text: welcome };
      await call('POST', '/invites', { ...values, ...more }).catch(nameAddresses);
      say(t.invited);
      await load();
    },
  });
}

/** Says which addresses were not invited, and why. */
async function nameAddresses(error: unknown): Promise<never> {
  const skipped = error instanceof ApiError ? error.fields['errors'] : undefined;
  if (!Array.isArray(skipped) || skipped.length === 0) throw error;
  const named = skipped.slice(0, MOST_NAMED).map(async ([email, reason]) => {
    return `${email}: ${await wordsOf(refusal(reason))}`;
  });
  const lines = [await wordsOf(error), ...(await Promise.all(named)), ...(skipped.length > MOST_NAMED ? ['…'] : [])];
  throw refusal(lines.join('\n'));
}

const welcomeField = (): FormField => ({
  ...{ kind: 'area', name: 'welcome_message_custom_text', maxLength: 8_000 },
  ...{ label: settingsTexts.value.welcome, hint: settingsTexts.value.welcomeHint },
});

function makeLink(load: () => Promise<void>): void {
  const t = settingsTexts.value;
  showForm({
    title: t.makeLink,
    action: t.create,
    fields: termsFields(),
    async submit(values) {
      const { invite_link: url } = await call<{ invite_link: string }>('POST', '/invites/multiuse', values);
      showSecret(t.link, url, t.linkNote);
      await load();
    },
  });
}
