import sharp from 'sharp';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newUser } from '../../test/examples';
import { waitingMails } from '../../test/mails';
import { addProvider, begin, finish, newPerson, type SignIn, signIn, signInOfEachTest } from '../../test/oidc-sign-in';
import { findUsersByAddresses } from '../accounts/users.sql';
import { openInvitedAccount } from '../invited-accounts/open-invited-account';
import { storeRealmSettings } from '../organization/realms.sql';
import { addAllowedDomain } from '../organization-lists/allowed-domains';

type Named = ReturnType<typeof newPerson>;

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

const place = signInOfEachTest(ctx, olivia);

const withPolicy = async (newAccounts: string): Promise<SignIn> => ({
  ...place,
  providerId: await addProvider(ctx, olivia, place.idp, { newAccounts }),
});
const usersAt = (email: string) => findUsersByAddresses(ctx.db, olivia.realmId, [email]);

describe('a first sign-in', () => {
  test('makes an account with the name and the address that the provider names, and a session of a day', async () => {
    const ann = newPerson(place.idp);
    const finished = await signIn(ctx, place, ann.name);
    const [user] = await usersAt(ann.email);
    expect(user).toMatchObject({ fullName: 'Ann Example', isActive: true, role: 400 });
    expect(finished).toEqual({
      wanted: 'session',
      key: {
        ...{ apiKey: expect.stringMatching(/^\w{32}$/), deliveryEmail: ann.email, userId: user?.id },
        expiresAtMs: ctx.clock.now() + 24 * 3_600_000,
      },
      flow: Buffer.from('next=/'),
      isNewAccount: true,
    });
  });

  test('takes the picture that the provider names; without one that can be had, it goes on', async () => {
    place.idp.picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const [ann, bob, eve] = ['/picture', '/nowhere', ''].map((where) =>
      newPerson(place.idp, { picture: where && `${place.idp.issuer}${where}` }),
    ) as [Named, Named, Named];
    for (const { name } of [ann, bob, eve]) await signIn(ctx, place, name);
    const sources = async ({ email }: Named) => (await usersAt(email)).map(({ avatarSource }) => avatarSource);
    expect([await sources(ann), await sources(bob), await sources(eve)]).toEqual([['U'], ['G'], ['G']]);
  });

  test('opens the account with the confirmed address, once, and its owner gets a mail', async () => {
    const { name } = newPerson(place.idp, { email: iago.email.toUpperCase() });
    const { key, isNewAccount } = await signIn(ctx, place, name);
    expect([key?.userId, isNewAccount]).toEqual([iago.userId, false]);
    const mails = await waitingMails(ctx, olivia);
    expect(mails).toMatchObject([{ template: 'identity-linked', recipient: iago.email }]);
  });

  test('refuses an address that the provider does not confirm, whether somebody has it or not', async () => {
    for (const email of [iago.email, 'nobody@example.com']) {
      for (const email_verified of [false, undefined, 'true']) {
        const { name } = newPerson(place.idp, { email, email_verified });
        await expect(signIn(ctx, place, name)).rejects.toThrow('does not confirm that your email address is yours');
      }
    }
    const nameless = newPerson(place.idp, { email: undefined });
    await expect(signIn(ctx, place, nameless.name)).rejects.toThrow('does not name your email address');
  });

  test('refuses an account that belongs to another subject, though it has the address', async () => {
    await signIn(ctx, place, newPerson(place.idp, { email: iago.email }).name);
    const other = newPerson(place.idp, { email: iago.email });
    await expect(signIn(ctx, place, other.name)).rejects.toThrow('belongs to another sign-in');
  });

  test('of invited people only: nobody gets an account, and accounts that exist are linked', async () => {
    const invited = await withPolicy('invite_only');
    const stranger = newPerson(place.idp);
    await expect(signIn(ctx, invited, stranger.name)).rejects.toThrow('Open the link of your invitation first');
    expect(await usersAt(stranger.email)).toEqual([]);
    expect((await signIn(ctx, invited, newPerson(place.idp, { email: iago.email }).name)).key?.userId).toBe(
      iago.userId,
    );
  });

  test('of somebody who has accepted an invitation, without a password where there are none, opens that account', async () => {
    await storeRealmSettings(ctx.db, olivia.realmId, { password_sign_in: 'off' });
    const invited = await withPolicy('invite_only');
    const { name, email } = newPerson(place.idp);
    const grant = { role: 400, channelIds: [], groupIds: [], includesDefaultChannels: true, defaultChannelGroups: [] };
    const { userId } = await openInvitedAccount(ctx, {
      ...{ realmId: olivia.realmId, invitationId: 1, referrerId: olivia.userId, notifiesReferrer: false, ...grant },
      ...{ email, fullName: 'Ann', timezone: '', defaultLanguage: '' },
    });
    expect((await signIn(ctx, invited, name)).key?.userId).toBe(userId);
  });

  test('of allowed domains: people of the organization’s domains only', async () => {
    const restricted = await withPolicy('allowed_domains');
    const { name } = newPerson(place.idp);
    await expect(signIn(ctx, restricted, name)).rejects.toThrow('of no domain whose people may join');
    await addAllowedDomain(ctx, olivia, { domain: 'example.com', allowsSubdomains: false });
    expect((await signIn(ctx, restricted, name)).isNewAccount).toBe(true);
    const elsewhere = newPerson(place.idp, { email: 'ann@example.com.evil.org' });
    await expect(signIn(ctx, restricted, elsewhere.name)).rejects.toThrow('of no domain');
  });

  test('of a bot’s or a deactivated account’s address opens nothing', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    await expect(signIn(ctx, place, newPerson(place.idp, { email: bot.email }).name)).rejects.toThrow('cannot sign in');
    await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
    const { name } = newPerson(place.idp, { email: iago.email });
    await expect(signIn(ctx, place, name)).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
  });

  test('twice at the same time makes one account', async () => {
    const { name, email } = newPerson(place.idp);
    const both = await Promise.all([signIn(ctx, place, name), signIn(ctx, place, name)]);
    expect(new Set(both.map(({ key }) => key?.userId)).size).toBe(1);
    expect(await usersAt(email)).toHaveLength(1);
  });
});

describe('a later sign-in', () => {
  test('opens the account of the subject, whatever its address is now', async () => {
    const ann = newPerson(place.idp);
    const { key } = await signIn(ctx, place, ann.name);
    Object.assign(place.idp.people[ann.name] as object, { email: iago.email, email_verified: true });
    expect((await signIn(ctx, place, ann.name)).key?.userId).toBe(key?.userId);
    Object.assign(place.idp.people[ann.name] as object, { email: undefined });
    expect((await signIn(ctx, place, ann.name)).key?.userId).toBe(key?.userId);
  });

  test('fails once the account is deactivated', async () => {
    const { name } = newPerson(place.idp);
    const { key } = await signIn(ctx, place, name);
    await ctx.db.query('update user_account set is_active = false where id = $1', [key?.userId]);
    await expect(signIn(ctx, place, name)).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
  });

  test('goes on after the provider has changed its keys', async () => {
    const { name } = newPerson(place.idp);
    const { key } = await signIn(ctx, place, name);
    await place.idp.rotateKeys();
    expect((await signIn(ctx, place, name)).key?.userId).toBe(key?.userId);
  });

  test('gives an API key without an end to a client that wants one', async () => {
    const { key } = await signIn(ctx, place, newPerson(place.idp).name, { wanted: 'api_key' });
    expect(key).toEqual({ apiKey: expect.any(String), deliveryEmail: expect.any(String), userId: expect.any(Number) });
  });
});

describe('the answer of a provider is accepted', () => {
  const begun = async (name = newPerson(place.idp).name) => {
    const { authorizationUrl, browserSecret } = await begin(ctx, place);
    const callback = await place.idp.browser().signIn(authorizationUrl, name);
    return { query: callback.search.slice(1), browserSecret };
  };
  const NOT_BEGUN = 'was not begun in this browser';

  test('once', async () => {
    const answer = await begun();
    await finish(ctx, place, answer);
    await expect(finish(ctx, place, answer)).rejects.toThrow(NOT_BEGUN);
  });

  test('in the browser that has begun the sign-in only', async () => {
    const [own, others] = [await begun(), await begun()];
    for (const browserSecret of [others.browserSecret, '', 'invented', `${own.browserSecret.slice(0, -4)}AAAA`]) {
      await expect(finish(ctx, place, { ...own, browserSecret })).rejects.toThrow(NOT_BEGUN);
    }
    // The wrong answers have not used it up.
    expect((await finish(ctx, place, own)).isNewAccount).toBe(true);
  });

  test('with the state that was given', async () => {
    const { query, browserSecret } = await begun();
    const forged = query.replace(/state=[^&]+/, 'state=forged');
    await expect(finish(ctx, place, { query: forged, browserSecret })).rejects.toThrow(NOT_BEGUN);
    await expect(finish(ctx, place, { query: '', browserSecret })).rejects.toThrow(NOT_BEGUN);
    await expect(finish(ctx, place, { query: 'x'.repeat(10_000), browserSecret })).rejects.toThrow(NOT_BEGUN);
  });

  test('within ten minutes', async () => {
    const answer = await begun();
    ctx.clock.advance(10 * 60_000);
    await expect(finish(ctx, place, answer)).rejects.toThrow(NOT_BEGUN);
  });

  test('in its organization, and from the provider that was asked', async () => {
    const answer = await begun();
    const other = await addProvider(ctx, olivia, place.idp);
    await expect(finish(ctx, { ...place, providerId: other }, answer)).rejects.toThrow(NOT_BEGUN);
  });

  test('with a code that nobody has used', async () => {
    const first = await begun();
    await finish(ctx, place, first);
    const second = await begun();
    const codeOf = ({ query }: { query: string }) => new URLSearchParams(query).get('code') as string;
    const stolen = second.query.replace(codeOf(second), codeOf(first));
    await expect(finish(ctx, place, { ...second, query: stolen })).rejects.toThrow('answer is not valid');
  });

  test('with a code for this browser’s own challenge', async () => {
    const [own, others] = [await begun(), await begun()];
    const codeOf = ({ query }: { query: string }) => new URLSearchParams(query).get('code') as string;
    const injected = own.query.replace(codeOf(own), codeOf(others));
    await expect(finish(ctx, place, { ...own, query: injected })).rejects.toThrow('answer is not valid');
  });

  test('from the issuer that it names, so that providers are not mixed up', async () => {
    const { query, browserSecret } = await begun();
    const mixed = query.replace(/iss=[^&]+/, `iss=${encodeURIComponent('https://evil.example.com')}`);
    expect(mixed).not.toBe(query);
    await expect(finish(ctx, place, { query: mixed, browserSecret })).rejects.toThrow('answer is not valid');
  });

  test('as a refusal, in the provider’s own word', async () => {
    const { authorizationUrl, browserSecret } = await begin(ctx, place);
    const state = new URL(authorizationUrl).searchParams.get('state');
    const query = `error=access_denied&error_description=%3Cscript%3E&state=${state}&iss=${encodeURIComponent(place.idp.issuer)}`;
    await expect(finish(ctx, place, { query, browserSecret })).rejects.toThrow(
      'The sign-in provider has refused: access_denied.',
    );
  });
});
