import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newProvider } from '../../test/scim';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

let provider: Awaited<ReturnType<typeof newProvider>>;
const ids: Record<string, string> = {};
beforeEach(async () => {
  provider = await newProvider(ctx, olivia);
  const people = [
    { userName: 'ann@example.com', externalId: 'X-1', name: { givenName: 'Ann', familyName: 'Bell' } },
    { userName: 'bo', emails: [{ value: 'bo@example.org' }], displayName: 'Bo "Bob" Cook', active: false },
    { userName: '100%_off@example.com', displayName: 'Percy' },
  ];
  for (const person of people) ids[person.userName] = (await provider.create('User', person)).id;
  ids['olivia'] = String(olivia.userId);
  ids['Writers'] = (
    await provider.create('Group', {
      displayName: 'Writers',
      members: [{ value: ids['bo'] }, { value: ids['olivia'] }],
    })
  ).id;
  ids['Readers'] = (await provider.create('Group', { displayName: 'Readers', externalId: 'g' })).id;
});

const named = (...names: string[]) => names.map((name) => ids[name]).sort();

test.each([
  ['userName eq "ANN@EXAMPLE.COM"', ['ann@example.com']],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "bo"', ['bo']],
  ['userName eq "bo@example.org"', []],
  ['USERNAME Eq "olivia@example.com"', ['olivia']],
  ['externalId eq "X-1"', ['ann@example.com']],
  ['externalId eq "x-1"', []],
  ['externalId pr', ['ann@example.com']],
  ['externalId eq null', ['bo', '100%_off@example.com', 'olivia']],
  ['emails eq "Bo@Example.org"', ['bo']],
  ['emails.value ew "@example.org"', ['bo']],
  ['emails[type eq "work" and value eq "bo@example.org"]', ['bo']],
  ['emails[type eq "home"]', []],
  ['active eq false', ['bo']],
  ['active eq "False"', ['bo']],
  ['active ne false and name.familyName eq "bell"', ['ann@example.com']],
  ['not (active eq true)', ['bo']],
  ['not (externalId eq "X-1") and userName sw "o"', ['olivia']],
  ['name.givenName ne "Ann" and not (userName co "@example.com")', ['bo']],
  ['displayName co "%"', []],
  ['userName sw "100%_"', ['100%_off@example.com']],
  ['displayName eq "percy" or displayName sw "olivia" and active eq true', ['100%_off@example.com', 'olivia']],
  ['userName ge "b" and userName lt "c"', ['bo']],
  ['id eq "0"', []],
  ['id eq "x"', []],
  ['groups eq "x"', []],
])('users with %s', async (filter, expected) => {
  const { total, bodies } = await provider.list('User', { filter });
  expect(bodies.map(({ id }) => id).sort()).toEqual(named(...expected));
  expect(total).toBe(expected.length);
});

test('users and groups by id, and by one another', async () => {
  const idsOf = async (kind: string, filter: string) =>
    (await provider.list(kind, { filter })).bodies.map(({ id }) => id).sort();
  expect(await idsOf('User', `id eq "${ids['bo']}"`)).toEqual(named('bo'));
  expect(await idsOf('User', `groups.value eq "${ids['Writers']}"`)).toEqual(named('bo', 'olivia'));
  expect(await idsOf('Group', `members[value eq "${ids['bo']}"]`)).toEqual(named('Writers'));
  expect(await idsOf('Group', `members eq "${ids['bo']}" and displayName eq "readers"`)).toEqual([]);
});

test.each([
  ['displayName eq "WRITERS"', ['Writers']],
  ['externalId eq "g" or displayName sw "Wri"', ['Readers', 'Writers']],
  ['displayName ew "ers"', ['Readers', 'Writers']],
])('groups with %s', async (filter, expected) => {
  expect((await provider.list('Group', { filter })).bodies.map(({ id }) => id).sort()).toEqual(named(...expected));
});

test.each([
  ['nonsense', 'The filter cannot be read'],
  ['userName eq', 'The filter cannot be read'],
  ['userName eq "a" and', 'The filter cannot be read'],
  ['password eq "a"', 'There is no filter on "password"'],
  ['toString eq "a"', 'There is no filter on "tostring"'],
  ['__proto__ eq "a"', 'There is no filter on "__proto__"'],
  ['active gt true', 'true and false can only be compared with eq and ne'],
  ['userName gt null', 'null can only be compared with eq and ne'],
  ['groups co "5"', 'groups can only be compared with eq'],
  ['groups pr', 'groups can only be compared with eq'],
  ['userName eq "a\0"', 'The filter has a null byte'],
  [`userName eq "${'x'.repeat(2_000)}"`, 'The filter is too long (limit: 2000 characters)'],
  [Array(51).fill('active pr').join(' or '), 'Too many conditions (limit: 50)'],
])('%j is refused', async (filter, text) => {
  const refused = provider.list('User', { filter });
  await expect(refused).rejects.toMatchObject({
    message: text,
    httpStatus: 400,
    fields: { scimType: 'invalidFilter' },
  });
});

test('values cannot leave their place in the SQL', async () => {
  for (const value of [`' or true --`, `\\' or 1=1`, '$1', '%']) {
    const filter = `displayName co ${JSON.stringify(value)}`;
    expect((await provider.list('User', { filter })).total).toBe(0);
  }
});

test('pages are in order, and bounded', async () => {
  const all = (await provider.list('User')).bodies.map(({ id }) => id);
  expect(all).toHaveLength(4);
  const page = (startIndex: number, count: number) =>
    provider.list('User', { startIndex, count }).then(({ total, bodies }) => [total, bodies.map(({ id }) => id)]);
  expect(await page(2, 2)).toEqual([4, all.slice(1, 3)]);
  expect(await page(-5, 1)).toEqual([4, all.slice(0, 1)]);
  expect(await page(4, 10)).toEqual([4, all.slice(3)]);
  expect(await page(5, 10)).toEqual([4, []]);
  expect(await page(1, 0)).toEqual([4, []]);
  expect(await page(1, -1)).toEqual([4, []]);
});

test('an answer has the attributes that were asked for', async () => {
  const selection = { attributes: ['USERNAME', 'name.givenName'], excluded: [] };
  const { bodies } = await provider.list('User', { filter: 'externalId pr', selection });
  expect(bodies).toEqual([
    {
      schemas: expect.any(Array),
      id: ids['ann@example.com'],
      userName: 'ann@example.com',
      name: expect.objectContaining({ givenName: 'Ann' }),
    },
  ]);
  const group = await provider.get('Group', ids['Writers'] as string, ['members']);
  expect(group).not.toHaveProperty('members');
  expect(group).toMatchObject({ displayName: 'Writers' });
});
