import type { Invitation, InvitationTerms } from '@parley/shared/proto';
import { ROLE_VALUES, ROLES, toSeconds } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint, type Values } from '../http/endpoint';
import { requestKeyOf } from '../http/idempotency-key';
import { boundedText, json, pathId, text } from '../http/parameters';

/** A hundred years. */
const MAX_VALID_MINUTES = 52_560_000;
const MAX_IDS = 10_000;
const MAX_WELCOME_LENGTH = 8_000;

const isRole = (role: number) => (ROLE_VALUES as readonly number[]).includes(role);

const idList = z.array(z.int()).max(MAX_IDS);

/** The terms of an invitation: its grants and its validity. */
const termsParameters = {
  invite_expires_in_minutes: json(
    z.int().min(1).max(MAX_VALID_MINUTES).nullish().describe('null: never. Absent: as the server is set.'),
  ),
  invite_as: json(
    z.int().refine(isRole, 'Value error, Not in the list of possible values').default(ROLES.member).describe('A role.'),
  ),
  group_ids: json(idList.default([])),
  include_realm_default_subscriptions: json(z.boolean().default(false)),
  welcome_message_custom_text: text(
    boundedText(MAX_WELCOME_LENGTH).optional().describe("Absent or null: the organization's. Empty: none."),
  ),
};

/** The terms in a request. */
function sentTerms(values: Values<typeof termsParameters> & { stream_ids: number[] }): InvitationTerms {
  const { invite_expires_in_minutes: validMinutes, welcome_message_custom_text: welcomeText } = values;
  return {
    invitedAs: values.invite_as,
    channelIds: values.stream_ids,
    groupIds: values.group_ids,
    includesDefaultChannels: values.include_realm_default_subscriptions,
    ...(typeof validMinutes === 'number' && { validMinutes }),
    isValidForEver: validMinutes === null,
    // NOTE: not JSON, but existing clients send null like this.
    ...(welcomeText !== undefined && welcomeText !== 'null' && { welcomeText }),
  };
}

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

export const sendInvitations = endpoint({
  method: 'POST',
  path: '/invites',
  summary: 'Invite people by mail',
  auth: 'user',
  parameters: {
    invitee_emails: text(z.string().describe('Separated by commas or newlines; at most 1,000.')),
    stream_ids: json(idList),
    notify_referrer_on_join: json(z.boolean().default(true)),
    ...termsParameters,
  },
  result: z.strictObject({}),
  errors: ['INVITATION_FAILED', 'UNAUTHORIZED_PRINCIPAL', 'IDEMPOTENCY_KEY_REUSED'],
  async handler({ services }, request, values) {
    await services.invites.sendInvitations(request.call, {
      emails: values.invitee_emails,
      terms: sentTerms(values),
      notifiesReferrer: values.notify_referrer_on_join,
      idempotencyKey: requestKeyOf(request),
    });
    return {};
  },
});

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/invites/{invite_id}/resend',
  summary: 'Send an e-mail invitation once more; it is valid for as long again',
  auth: 'user',
  parameters: { invite_id: pathId() },
  result: z.strictObject({}),
  errors: ['INVITATION_FAILED', 'UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { invite_id: invitationId }) {
    await services.invites.resendInvitation(call, { invitationId });
    return {};
  },
});

export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/invites/{invite_id}',
  summary: 'Take an e-mail invitation back',
  auth: 'user',
  parameters: { invite_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { invite_id: invitationId }) {
    await services.invites.revokeInvitation(call, { invitationId });
    return {};
  },
});

export const createInvitationLink = endpoint({
  method: 'POST',
  path: '/invites/multiuse',
  summary: 'Make a link by which any number of people can join',
  auth: 'user',
  parameters: { stream_ids: json(idList.default([])), ...termsParameters },
  result: z.strictObject({ invite_link: z.string() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'IDEMPOTENCY_KEY_REUSED'],
  async handler({ services }, request, values) {
    const { url } = await services.invites.createInvitationLink(request.call, {
      terms: sentTerms(values),
      idempotencyKey: requestKeyOf(request),
    });
    return { invite_link: url };
  },
});

export const revokeInvitationLink = endpoint({
  method: 'DELETE',
  path: '/invites/multiuse/{invite_id}',
  summary: 'Take a reusable invitation link back',
  auth: 'user',
  parameters: { invite_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { invite_id: linkId }) {
    await services.invites.revokeInvitationLink(call, { linkId });
    return {};
  },
});
