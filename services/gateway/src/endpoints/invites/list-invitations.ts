import type { Invitation } from '@parley/shared/proto';
import { ROLE_VALUES, toSeconds } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';

const invitationSchema = z.strictObject({
  id: z.int().describe('E-mail invitations and reusable links have ids of their own.'),
  invited_by_user_id: z.int(),
  invited: z.int().describe('When it was made, in seconds.'),
  expiry_date: z.int().nullable().describe('In seconds; null: never.'),
  invited_as: z.literal(ROLE_VALUES),
  email: z.string().optional().describe('Of e-mail invitations.'),
  notify_referrer_on_join: z.boolean().optional().describe('Of e-mail invitations.'),
  link_url: z.string().optional().describe('Of reusable links.'),
  is_multiuse: z.boolean(),
});

export const listInvitations = endpoint({
  method: 'GET',
  path: '/invites',
  summary: "List the caller's invitations that can still be accepted; for administrators everybody's",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ invites: z.array(invitationSchema) }),
  errors: [],
  async handler({ services }, { call }) {
    const { invitations } = await services.invites.listInvitations(call, {});
    return { invites: invitations.map(publicInvitation) };
  },
});

function publicInvitation(invitation: Invitation): z.output<typeof invitationSchema> {
  const { id, referrerId, createdAtMs, expiresAtMs, invitedAs, email, notifiesReferrer, linkUrl } = invitation;
  return {
    id,
    invited_by_user_id: referrerId,
    invited: toSeconds(createdAtMs),
    expiry_date: expiresAtMs === undefined ? null : toSeconds(expiresAtMs),
    invited_as: invitedAs as z.output<typeof invitationSchema>['invited_as'],
    ...(email !== undefined && { email, notify_referrer_on_join: notifiesReferrer }),
    ...(linkUrl !== undefined && { link_url: linkUrl }),
    is_multiuse: linkUrl !== undefined,
  };
}
