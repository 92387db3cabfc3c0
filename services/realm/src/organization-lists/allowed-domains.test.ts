import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { loadRealmSettings } from '../organization/realms.sql';
import { addAllowedDomain, listAllowedDomains, removeAllowedDomain, updateAllowedDomain } from './allowed-domains';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const add = (domain: string, allowsSubdomains = false) => addAllowedDomain(ctx, olivia, { domain, allowsSubdomains });

test('a domain is added, changed and removed, and each is announced to everybody', async () => {
  const added = await add(' Example.COM ');
  expect(added).toEqual({ id: expect.any(Number), domain: 'example.com', allowsSubdomains: false });
  await updateAllowedDomain(ctx, olivia, { domain: 'EXAMPLE.com', allowsSubdomains: true });
  await updateAllowedDomain(ctx, olivia, { domain: 'example.com', allowsSubdomains: true });
  const guest = await newUser(ctx, olivia, { role: 600 });
  expect(await listAllowedDomains(ctx, guest)).toEqual({ domains: [{ ...added, allowsSubdomains: true }] });
  await removeAllowedDomain(ctx, olivia, { domain: 'example.com' });
  expect(await listAllowedDomains(ctx, guest)).toEqual({ domains: [] });

  const events = await publicEvents(ctx, olivia, 'realm_domains');
  expect(events.every(({ audience }) => audience.to === 'realm')).toBe(true);
  expect(events.map(({ event }) => event)).toEqual([
    { type: 'realm_domains', op: 'add', realm_domain: { domain: 'example.com', allow_subdomains: false } },
    { type: 'realm_domains', op: 'change', realm_domain: { domain: 'example.com', allow_subdomains: true } },
    { type: 'realm_domains', op: 'remove', domain: 'example.com' },
  ]);
});

test('a domain is there once, in each organization', async () => {
  await add('example.com');
  await expect(add('example.COM')).rejects.toThrow('The domain example.com is already a part of your organization.');
  await expect(add('example')).rejects.toThrow('Invalid domain: Domain must have at least one dot (.)');
  const stranger = await newOrganization(ctx);
  const absent = { domain: 'example.com', allowsSubdomains: true };
  await expect(updateAllowedDomain(ctx, stranger, absent)).rejects.toThrow('No entry found for domain example.com.');
  await expect(removeAllowedDomain(ctx, stranger, absent)).rejects.toThrow('No entry found for domain example.com.');
  await addAllowedDomain(ctx, stranger, absent);
});

test('without any domain left all addresses are allowed', async () => {
  await add('example.com');
  await add('example.org');
  await ctx.db.query(`update realm set settings = '{"emails_restricted_to_domains": true}' where id = $1`, [
    olivia.realmId,
  ]);
  await removeAllowedDomain(ctx, olivia, { domain: 'example.com' });
  expect(await publicEvents(ctx, olivia, 'realm')).toEqual([]);
  await removeAllowedDomain(ctx, olivia, { domain: 'example.org' });
  const lifted = { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false };
  expect((await publicEvents(ctx, olivia, 'realm')).map(({ event }) => event)).toEqual([lifted]);
  expect((await loadRealmSettings(ctx.db, olivia.realmId)).emails_restricted_to_domains).toBe(false);
});

test('only owners may', async () => {
  const admin = await newUser(ctx, olivia, { role: 200 });
  const refusal = { code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization owner' };
  const request = { domain: '', allowsSubdomains: true };
  await expect(addAllowedDomain(ctx, admin, request)).rejects.toMatchObject(refusal);
  await expect(updateAllowedDomain(ctx, admin, request)).rejects.toMatchObject(refusal);
  await expect(removeAllowedDomain(ctx, admin, request)).rejects.toMatchObject(refusal);
});
