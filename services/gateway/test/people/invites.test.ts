import { InvitationFailedError } from '@parley/shared/errors';
import type { InvitationList } from '@parley/shared/proto';
import {
  createInvitationLink,
  listInvitations,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,
  sendInvitations,
} from '../../src/endpoints';
import { formBody, startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  const nothing = async () => ({});
  Object.assign(gateway.invites.answers, {
    sendInvitations: nothing,
    createInvitationLink: async () => ({ url: 'https://chat.example/join/k/' }),
    revokeInvitation: nothing,
    revokeInvitationLink: nothing,
    resendInvitation: nothing,
  });
});
afterEach(() => gateway.stop());

const post = (path: string, form: Record<string, string>) =>
  gateway.request({ method: 'POST', path: `/api/v1${path}`, ...formBody(form) });
const success = { result: 'success', msg: '' };
const required = { invitee_emails: 'eve@x.example', stream_ids: '[]' };
const plain = { invitedAs: 400, channelIds: [], groupIds: [], includesDefaultChannels: false, isValidForEver: false };

test.each([
  ['/invites', 'sendInvitations'],
  ['/invites/multiuse', 'createInvitationLink'],
] as const)('POST %s hands on what makes a repetition recognizable', async (path, method) => {
  const body = formBody(required);
  const send = (key: string) =>
    gateway.request({
      method: 'POST',
      path: `/api/v1${path}`,
      ...body,
      headers: { ...body.headers, 'Idempotency-Key': key },
    });
  expect((await send('once')).status).toBe(200);
  expect(gateway.invites.last(method)).toMatchObject({ idempotencyKey: 'once' });
  expect((await send('x'.repeat(201))).json).toMatchObject({
    msg: 'Idempotency-Key must have 1 to 200 characters',
  });
});

describe('POST /invites', () => {
  test('passes on the channels, groups and role', async () => {
    const answer = await gateway.call(sendInvitations, {
      invitee_emails: 'eve@x.example\nfay@x.example',
      stream_ids: [3, 4],
      group_ids: [7],
      invite_as: 600,
      invite_expires_in_minutes: 60,
      include_realm_default_subscriptions: true,
      notify_referrer_on_join: false,
      welcome_message_custom_text: 'Hi',
    });
    expect(answer).toMatchObject({ status: 200, json: success });
    expect(gateway.invites.last('sendInvitations')).toEqual({
      emails: 'eve@x.example\nfay@x.example',
      terms: {
        invitedAs: 600,
        channelIds: [3, 4],
        groupIds: [7],
        includesDefaultChannels: true,
        validMinutes: 60,
        isValidForEver: false,
        welcomeText: 'Hi',
      },
      notifiesReferrer: false,
      idempotencyKey: expect.stringMatching(/^gateway:/),
    });
  });

  test.each([
    ['nothing more', {}, plain],
    ['no end', { invite_expires_in_minutes: 'null' }, { ...plain, isValidForEver: true }],
    ['no words', { welcome_message_custom_text: '' }, { ...plain, welcomeText: '' }],
    ['the organization’s words', { welcome_message_custom_text: 'null' }, plain],
  ])('with %s', async (_what, form, expected) => {
    expect((await post('/invites', { ...required, ...form })).json).toEqual(success);
    expect(gateway.invites.last('sendInvitations')).toMatchObject({ terms: expected, notifiesReferrer: true });
  });

  test.each([
    ['stream_ids', undefined, "Missing 'stream_ids' argument"],
    ['invitee_emails', undefined, "Missing 'invitee_emails' argument"],
    ['invite_as', '500', 'Invalid invite_as: Value error, Not in the list of possible values'],
    ['invite_as', '"400"', 'invite_as is not an integer'],
    ['invite_expires_in_minutes', '0', 'invite_expires_in_minutes is too small'],
    ['invite_expires_in_minutes', '52560001', 'invite_expires_in_minutes is too large'],
    ['stream_ids', '["a"]', 'stream_ids[0] is not an integer'],
    ['group_ids', `[${'1,'.repeat(10_000)}1]`, 'group_ids is too long (limit: 10000 items)'],
    [
      'welcome_message_custom_text',
      'x'.repeat(8_001),
      'welcome_message_custom_text is too long (limit: 8000 characters)',
    ],
  ])('refuses %s: %.12s', async (name, value, msg) => {
    const { [name]: _, ...rest } = { ...required } as Record<string, string>;
    const answer = await post('/invites', value === undefined ? rest : { ...rest, [name]: value });
    expect(answer).toMatchObject({ status: 400, json: { result: 'error', msg } });
    expect(gateway.invites.seen).toEqual([]);
  });

  test('lists the addresses that were not invited, and whether others were', async () => {
    gateway.invites.answers.sendInvitations = () =>
      Promise.reject(
        new InvitationFailedError('Some.', { skipped: [['e@x.example', 'Why.', true]], areOthersInvited: true }),
      );
    expect(await post('/invites', required)).toMatchObject({
      status: 400,
      json: {
        result: 'error',
        code: 'INVITATION_FAILED',
        msg: 'Some.',
        errors: [['e@x.example', 'Why.', true]],
        sent_invitations: true,
        daily_limit_reached: false,
        license_limit_reached: false,
      },
    });
  });
});

test('POST /invites/multiuse answers the link', async () => {
  const answer = await gateway.call(createInvitationLink, { stream_ids: [3], invite_expires_in_minutes: null });
  expect(answer.json).toEqual({ ...success, invite_link: 'https://chat.example/join/k/' });
  expect(gateway.invites.last('createInvitationLink')).toEqual({
    terms: { ...plain, channelIds: [3], isValidForEver: true },
    idempotencyKey: expect.stringMatching(/^gateway:/),
  });
  expect((await post('/invites/multiuse', {})).json).toMatchObject(success);
});

test('GET /invites lists invitations and links', async () => {
  const common = { id: 1, referrerId: 11, createdAtMs: 1_700_000_000_900, invitedAs: 400 };
  gateway.invites.answers.listInvitations = async (): Promise<InvitationList> => ({
    invitations: [
      { ...common, notifiesReferrer: true, email: 'eve@x.example', expiresAtMs: 1_800_000_000_000 },
      { ...common, notifiesReferrer: false, linkUrl: 'https://chat.example/join/k/' },
    ],
  });
  const shown = { id: 1, invited_by_user_id: 11, invited: 1_700_000_000, invited_as: 400 };
  expect((await gateway.call(listInvitations, {})).json).toEqual({
    ...success,
    invites: [
      {
        ...shown,
        expiry_date: 1_800_000_000,
        email: 'eve@x.example',
        notify_referrer_on_join: true,
        is_multiuse: false,
      },
      { ...shown, expiry_date: null, link_url: 'https://chat.example/join/k/', is_multiuse: true },
    ],
  });
});

test('an invitation is revoked or sent again by its id, a link by its own', async () => {
  for (const endpoint of [revokeInvitation, revokeInvitationLink, resendInvitation]) {
    expect((await gateway.call(endpoint, { invite_id: 5 })).json).toEqual(success);
  }
  expect(gateway.invites.seen.map(({ method, request }) => [method, request])).toEqual([
    ['revokeInvitation', { invitationId: 5 }],
    ['revokeInvitationLink', { linkId: 5 }],
    ['resendInvitation', { invitationId: 5 }],
  ]);
});
