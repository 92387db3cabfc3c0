import { ROLES } from '@parley/shared/values';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { deactivateRealm } from '../organization/deactivate-realm';
import { createUsers } from './create-users';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ email: `New${n}@example.com`, fullName: `New ${n}` }));

const create = (people: { email: string; fullName: string }[], more: { isPasswordLinkMailed?: boolean } = {}) =>
  createUsers(ctx, {
    ...{ subdomain: olivia.subdomain, role: ROLES.moderator, isWelcomed: true, isPasswordLinkMailed: false },
    people,
    ...more,
  });

const count = async (text: string) => {
  const [row] = await ctx.db.query<{ count: number }>(`select count(*) as count from ${text}`, [olivia.realmId]);
  return row?.count;
};

test('many people have their accounts, and their mails, after as many statements as a few', async () => {
  const statementsOf = async (people: { email: string; fullName: string }[]) => {
    const before = ctx.db.statementCount;
    const { emails } = await create(people, { isPasswordLinkMailed: true });
    expect(emails).toEqual(people.map(({ email }) => email));
    return ctx.db.statementCount - before;
  };
  const all = numbered(64);
  const few = await statementsOf(all.slice(0, 2));
  expect(await statementsOf(all.slice(2))).toBeLessThanOrEqual(few);
  const inDefaultChannels = `user_account u where u.realm_id = $1 and u.role = 300 and u.is_active and 3 = (
    select count(*) from subscription s where s.realm_id = u.realm_id and s.user_id = u.id and s.is_active)`;
  expect(await count(inDefaultChannels)).toBe(64);
});

test('those with addresses or names that are refused are left out, and of two with one address the second', async () => {
  await ctx.db.query(`update realm set settings = settings || '{"require_unique_names": true}' where id = $1`, [
    olivia.realmId,
  ]);
  const [first, second] = numbered(2);
  const refused = [
    { email: 'no address', fullName: 'Nobody' },
    { email: 'star@example.com', fullName: 'A * star' },
    { email: olivia.email, fullName: 'Another Olivia' },
    { email: 'OLIVIA2@example.com', fullName: 'olivia owner' },
    { email: 'NEW0@example.com', fullName: 'Twice' },
    { email: 'namesake@example.com', fullName: 'NEW 1' },
  ];
  const people = [first as { email: string; fullName: string }, second as { email: string; fullName: string }];
  expect(await create([...people, ...refused])).toEqual({ emails: people.map(({ email }) => email) });
  expect(await create(people)).toEqual({ emails: [] });
});

test('each of them gets a link to set a password, if requested', async () => {
  await create(numbered(3), { isPasswordLinkMailed: true });
  const toThemselves = `mail_job m join user_account u on u.realm_id = m.realm_id and u.id = (m.content ->> 'userId')::bigint
    and u.delivery_email = m.recipient and m.created_at = m.due_at`;
  expect(await count(`${toThemselves} where m.realm_id = $1 and m.template = 'new-account'`)).toBe(3);
});

test('is refused with too many people, and in a closed organization', async () => {
  await expect(create(numbered(65))).rejects.toThrow('Too many people in one call (limit: 64)');
  await deactivateRealm(ctx, olivia, {});
  await expect(create(numbered(1))).rejects.toMatchObject({ code: 'REALM_DEACTIVATED' });
});
