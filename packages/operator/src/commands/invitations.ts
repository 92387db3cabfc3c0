import type { Invitation, InvitationTerms } from '@parley/shared/proto';
import type { Caller, RpcClient } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import { command } from '../command/command';
import { as, operatedRealm } from '../command/operated';
import { identifier, integer, list, oneOf, realm } from '../command/options';
import { timeOf } from '../command/present';

export const inviteCreate = command({
  services: ['realm', 'invites'],
  summary: 'invites people by mail, or, without --emails, makes a link that anybody can join with',
  options: {
    realm,
    emails: list('EMAIL,EMAIL').optional(),
    role: integer(String(ROLES.member)).optional(),
    channels: list('NAME,NAME').optional(),
    'valid-days': integer('N').optional(),
    as,
  },
  examples: ['--realm acme --emails bo@acme.org,di@acme.org --channels general', '--realm acme --valid-days 7'],
  async run({ realm: service, invites }, { emails, role = ROLES.member, channels, 'valid-days': days, ...named }) {
    const { actor } = await operatedRealm(service, named);
    const terms: InvitationTerms = {
      invitedAs: role,
      channelIds: await channelIds(service, actor, channels ?? []),
      groupIds: [],
      includesDefaultChannels: channels === undefined,
      isValidForEver: false,
      ...(days !== undefined && { validMinutes: days * 24 * 60 }),
    };
    if (emails === undefined) return { url: (await invites.createInvitationLink(actor, { terms })).url };
    await invites.sendInvitations(actor, { emails: emails.join(','), terms, notifiesReferrer: false });
    return { invited: emails.length };
  },
});

async function channelIds(service: RpcClient<'realm'>, actor: Caller, names: readonly string[]): Promise<number[]> {
  const found = names.map((name) => service.findChannel(actor, { name }));
  return (await Promise.all(found)).map(({ channelId }) => channelId);
}

export const inviteList = command({
  services: ['realm', 'invites'],
  summary: 'lists invitations and links that can still be accepted',
  options: { realm, as },
  examples: ['--realm acme'],
  async run({ realm: service, invites }, named) {
    const { actor } = await operatedRealm(service, named);
    const { invitations } = await invites.listInvitations(actor, {});
    return { invitations: invitations.map(publicInvitation) };
  },
});

function publicInvitation({ id, email, linkUrl, invitedAs, referrerId, createdAtMs, expiresAtMs }: Invitation) {
  return {
    ...{ kind: email === undefined ? 'link' : 'mail', id, to: email ?? linkUrl ?? '' },
    ...{ invited_as: invitedAs, referrer_id: referrerId, created_at: timeOf(createdAtMs) },
    ...(expiresAtMs !== undefined && { expires_at: timeOf(expiresAtMs) }),
  };
}

export const inviteRevoke = command({
  services: ['realm', 'invites'],
  summary: 'ends an invitation, or a link: nobody can join with it any more',
  options: { realm, kind: oneOf(['mail', 'link']), id: identifier('N'), as },
  examples: ['--realm acme --kind link --id 3'],
  async run({ realm: service, invites }, { kind, id, ...named }) {
    const { actor } = await operatedRealm(service, named);
    if (kind === 'mail') await invites.revokeInvitation(actor, { invitationId: id });
    else await invites.revokeInvitationLink(actor, { linkId: id });
    return { kind, id };
  },
});
