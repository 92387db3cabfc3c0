import { BadRequestError, NoSuchInvitationError, ServiceUnavailableError } from '@parley/shared/errors';
import type { AcceptInvitationRequest } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { untilWaitingOrEnded } from '@parley/shared/testing';
import { announced, DAY_MS, mails, newCast, openContext, sending, type TestContext, terms } from '../../test/examples';
import { endInvitationsOfUsers } from '../invitations/end-invitations';
import { createInvitationLink, revokeInvitationLink } from '../invitations/invitation-links';
import { listInvitations, revokeInvitation } from '../invitations/invitations';
import { sendInvitations } from '../invitations/send-invitations';
import { showKeys } from '../keys/invitation-keys';
import { composeInvitesMail } from '../mails/send-mails';
import { acceptInvitation } from './accept-invitation';
import { finishHalfAccepted } from './finish-acceptance';
import { lookUpInvitation } from './look-up-invitation';

const GONE = 'No such invitation';

let ctx: TestContext;
let cast: ReturnType<typeof newCast>;
beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(() => {
  ctx.realmFacts = {};
  cast = newCast();
});
afterAll(() => ctx.close());

const open = async () => (await listInvitations(ctx, cast.olivia)).invitations;

/** Sends an invitation to an address; returns its id and key. */
async function invite(email = 'eve@example.com', by = cast.hamlet): Promise<{ id: number; key: string }> {
  await sendInvitations(ctx, by, sending(email, { validMinutes: 60 }));
  const id = Math.max(...(await open()).map((invitation) => invitation.id));
  return { id, key: await keyOf(id) };
}

async function keyOf(id: number): Promise<string> {
  const keys = await showKeys(ctx, { realmId: cast.realmId, kind: 'invitation', ids: [id] });
  return keys.get(id) as string;
}

async function makeLink(): Promise<{ id: number; key: string }> {
  const { url } = await createInvitationLink(ctx, cast.olivia, { terms: terms({ invitedAs: 600 }) });
  const id = (await open()).find(({ linkUrl }) => linkUrl === url)?.id as number;
  return { id, key: /join\/(\w+)\//.exec(url)?.[1] as string };
}

const request = (key: string, more: Partial<AcceptInvitationRequest> = {}): AcceptInvitationRequest => ({
  realmId: cast.realmId,
  key,
  fullName: 'Eve',
  password: 'correct horse',
  timezone: '',
  defaultLanguage: '',
  defaultChannelGroups: [],
  ...more,
});
const accept = (key: string, more: Partial<AcceptInvitationRequest> = {}) =>
  acceptInvitation(ctx, newCall(), request(key, more));
const lookUp = (key: string, realmId = cast.realmId) => lookUpInvitation(ctx, newCall(), { realmId, key });
const refusing = (error: Error, whatHappensFirst = async () => {}) => {
  const { realm } = ctx.services;
  const { openInvitedAccount } = realm;
  realm.openInvitedAccount = async () => {
    realm.openInvitedAccount = openInvitedAccount;
    await whatHappensFirst();
    throw error;
  };
};
const stateOf = async (id: number) => {
  const [row] = await ctx.db.query<{ state: string }>('select state from invitation where realm_id = $1 and id = $2', [
    cast.realmId,
    id,
  ]);
  return row?.state;
};

describe('by the key of a mail', () => {
  test('is shown, then accepted', async () => {
    const { id, key } = await invite();
    expect(await lookUp(key)).toEqual({
      email: 'eve@example.com',
      expiresAtMs: ctx.clock.now() + 3_600_000,
      invitedAs: 400,
      organizationName: 'Acme',
      subdomain: 'acme',
      emailAddressVisibility: 1,
      isPasswordNeeded: true,
    });
    const accepted = await accept(key, { email: 'EVE@example.com' });
    expect(accepted).toMatchObject({ isConfirmationRequired: false, deliveryEmail: 'eve@example.com' });
    expect(await stateOf(id)).toBe('used');
    expect(await open()).toEqual([]);
    expect(await mails(ctx, cast.realmId)).toEqual([]);
    expect(await announced(ctx, cast.realmId)).toEqual([
      [1, 4],
      [1, 4],
    ]);
    await expect(lookUp(key)).rejects.toThrow(GONE);
  });

  test('other invitations of the address are revoked, and their senders are notified', async () => {
    const { key } = await invite();
    const other = await invite('Eve@example.com', cast.olivia);
    const unrelated = await invite('dan@example.com');
    await accept(key);
    expect((await open()).map(({ id }) => id)).toEqual([unrelated.id]);
    await expect(accept(other.key)).rejects.toThrow(GONE);
    expect(await mails(ctx, cast.realmId)).toHaveLength(1);
  });

  test('however often and concurrently it is sent, there is one account, and every answer says so', async () => {
    const { key } = await invite();
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept(key)));
    answers.push(await accept(key));
    expect(new Set(answers.map(({ userId }) => userId)).size).toBe(1);
    expect(await announced(ctx, cast.realmId)).toHaveLength(2);
    await expect(accept(key, { password: 'another horse' })).rejects.toThrow(GONE);
  });

  test('a refusal of realm refuses the request, and the invitation stays open', async () => {
    const { id, key } = await invite();
    refusing(new BadRequestError('The password is too weak.'));
    await expect(accept(key)).rejects.toThrow('too weak');
    expect((await open()).map((invitation) => invitation.id)).toEqual([id]);
    await expect(accept(key, { email: 'dan@example.com' })).rejects.toThrow('for another email address');
    expect(await accept(key)).toMatchObject({ deliveryEmail: 'eve@example.com' });
  });

  test('one that its sender may no longer give is revoked', async () => {
    const { id, key } = await invite();
    refusing(new BadRequestError(GONE));
    await expect(accept(key)).rejects.toThrow(GONE);
    // The text decides nothing.
    expect(await stateOf(id)).toBe('open');
    refusing(new NoSuchInvitationError());
    await expect(accept(key)).rejects.toThrow(GONE);
    expect(await stateOf(id)).toBe('revoked');
    expect(await mails(ctx, cast.realmId)).toEqual([]);
    expect((await announced(ctx, cast.realmId)).at(-1)).toEqual([1, 4]);
  });

  test.each([
    ['that fails revokes the invitation', new BadRequestError('The password is too weak.'), 'too weak'],
    ['that succeeds is refused', null, null],
  ])('a revocation during an acceptance %s', async (_what, error, message) => {
    const { id, key } = await invite();
    let revoking: Promise<unknown> = Promise.resolve();
    const { realm } = ctx.services;
    const { openInvitedAccount } = realm;
    realm.openInvitedAccount = async (...request) => {
      realm.openInvitedAccount = openInvitedAccount;
      revoking = revokeInvitation(ctx, cast.hamlet, { invitationId: id });
      await untilWaitingOrEnded(ctx.db, revoking, 1);
      if (error) throw error;
      return openInvitedAccount(...request);
    };
    if (message) {
      await expect(accept(key)).rejects.toThrow(message);
      await revoking;
      expect(await stateOf(id)).toBe('revoked');
      await expect(accept(key)).rejects.toThrow(GONE);
    } else {
      await accept(key);
      await expect(revoking).rejects.toThrow(GONE);
      expect(await stateOf(id)).toBe('used');
    }
  });

  test('an invalid one is like none: revoked, expired, sender deactivated, of another organization, or invented', async () => {
    const revoked = await invite();
    await revokeInvitation(ctx, cast.hamlet, { invitationId: revoked.id });
    const expired = await invite();
    ctx.clock.advance(2 * 60 * 60_000);
    const orphaned = await invite('dan@example.com', cast.olivia);
    const elsewhere = await invite('fay@example.com');
    await endInvitationsOfUsers(ctx, [{ id: 'x', realmId: cast.realmId, payload: { userId: 1 } } as never]);
    for (const key of [revoked.key, expired.key, orphaned.key, 'a'.repeat(24), 'a'.repeat(23), '\0']) {
      await expect(accept(key)).rejects.toThrow(GONE);
      await expect(lookUp(key)).rejects.toThrow(GONE);
    }
    await expect(lookUp(elsewhere.key, cast.realmId + 1_000)).rejects.toThrow(GONE);
    await expect(accept(elsewhere.key, { realmId: cast.realmId + 1_000 })).rejects.toThrow(GONE);
  });

  test('attempts are rate limited', async () => {
    const { key } = await invite();
    for (let attempt = 1; attempt <= 20; attempt += 1) {
      await expect(accept(key, { email: 'dan@example.com' })).rejects.toThrow('for another email address');
    }
    await expect(accept(key)).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
    ctx.clock.advance(11 * 60_000);
    expect(await accept(key)).toMatchObject({ isConfirmationRequired: false });
  });
});

describe('an interrupted acceptance', () => {
  test('after the account was made is finished, once', async () => {
    const { id, key } = await invite();
    const account = { ...request(key), invitationId: id, email: 'eve@example.com' } as never;
    const { openInvitedAccount } = ctx.services.realm;
    refusing(new ServiceUnavailableError(), async () => {
      await openInvitedAccount(newCall(), account);
    });
    await expect(accept(key)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
    expect(await stateOf(id)).toBe('accepting');
    await finishHalfAccepted(ctx);
    expect(await stateOf(id)).toBe('accepting');
    ctx.clock.advance(61_000);
    await Promise.all([finishHalfAccepted(ctx), finishHalfAccepted(ctx)]);
    expect(await stateOf(id)).toBe('used');
    expect(await announced(ctx, cast.realmId)).toHaveLength(2);
    expect(await accept(key)).toMatchObject({ isConfirmationRequired: false });
  });

  test('before that is open again', async () => {
    const { id, key } = await invite();
    refusing(new ServiceUnavailableError());
    await expect(accept(key)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
    ctx.clock.advance(61_000);
    await finishHalfAccepted(ctx);
    expect((await open()).map((invitation) => invitation.id)).toEqual([id]);
  });

  test('is completed by a repeated request', async () => {
    const { id, key } = await invite();
    refusing(new ServiceUnavailableError());
    await expect(accept(key)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
    expect(await accept(key)).toMatchObject({ isConfirmationRequired: false });
    expect(await stateOf(id)).toBe('used');
  });

  test('is not revoked meanwhile', async () => {
    const { id, key } = await invite();
    refusing(new ServiceUnavailableError());
    await expect(accept(key)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
    await expect(revokeInvitation(ctx, cast.hamlet, { invitationId: id })).rejects.toThrow(GONE);
  });
});

describe('by a reusable link', () => {
  const job = async () => {
    const [found] = await ctx.db.query<never>(
      `select realm_id as "realmId", id, template, recipient, content, created_at as "createdAtMs", attempts
       from mail_job where realm_id = $1`,
      [cast.realmId],
    );
    return found as never;
  };
  const mailedKey = async () =>
    /do_confirm\/(\w+)/.exec((await composeInvitesMail(ctx, await job()))?.text as string)?.[1] as string;

  test('sends a mail that proves the address, then grants the link’s terms', async () => {
    const { key } = await makeLink();
    expect(await lookUp(key)).toMatchObject({ invitedAs: 600 });
    expect(await accept(key, { email: ' fay@example.com' })).toMatchObject({
      isConfirmationRequired: true,
      apiKey: '',
    });
    expect(await mails(ctx, cast.realmId)).toMatchObject([{ recipient: 'fay@example.com' }]);
    expect(await open()).toHaveLength(1);
    const own = await mailedKey();
    expect(await lookUp(own)).toMatchObject({ email: 'fay@example.com', invitedAs: 600 });
    expect(await accept(own)).toMatchObject({ deliveryEmail: 'fay@example.com' });
    expect(await lookUp(key)).toMatchObject({ invitedAs: 600 });
  });

  test('requested twice, there is one invitation and one mail', async () => {
    const { key } = await makeLink();
    await Promise.all([1, 2, 3].map(() => accept(key, { email: 'fay@example.com' })));
    expect(await mails(ctx, cast.realmId)).toHaveLength(1);
    await expect(accept(key, { email: 'Fay@example.com' })).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
  });

  test('the mailed invitation ends with the link, and after a day', async () => {
    const { id, key } = await makeLink();
    await accept(key, { email: 'fay@example.com' });
    const own = await mailedKey();
    await revokeInvitationLink(ctx, cast.olivia, { linkId: id });
    await expect(accept(own)).rejects.toThrow(GONE);
    await expect(accept(key, { email: 'dan@example.com' })).rejects.toThrow(GONE);
    const other = await makeLink();
    await accept(other.key, { email: 'gus@example.com' });
    ctx.clock.advance(DAY_MS + 1);
    const [waiting] = await ctx.db.query<{ id: number }>(
      `select id from invitation where realm_id = $1 and email = 'gus@example.com'`,
      [cast.realmId],
    );
    await expect(accept(await keyOf(waiting?.id as number))).rejects.toThrow(GONE);
  });

  test.each([
    [undefined, "Missing 'email' argument"],
    ['nobody', 'Invalid address.'],
    ['has@example.com', 'Already has an account.'],
  ])('the address %j is refused', async (email, expected) => {
    ctx.realmFacts = {
      addresses: {
        nobody: { objection: 'invalid', holder: '' },
        'has@example.com': { objection: '', holder: 'active' },
      },
    };
    const { key } = await makeLink();
    await expect(accept(key, email === undefined ? {} : { email })).rejects.toThrow(expected);
    expect(await mails(ctx, cast.realmId)).toEqual([]);
  });
});
