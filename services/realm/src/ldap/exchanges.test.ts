import { exchangesOf } from './exchanges';

/** An account 'email name', and what its entry says. */
const change = (userId: number, before: string, after: string) => {
  const [deliveryEmail, fullName] = before.split(' ') as [string, string];
  const [email, wantedName] = after.split(' ') as [string, string];
  const person = { dn: `uid=${userId}`, uid: '', entryId: `${userId}`, email, fullName: wantedName };
  return { identity: { userId, deliveryEmail, fullName }, person };
};

test.each([
  ['nobody', [], []],
  ['new ones', [change(1, 'a@x Ann', 'z@x Ann'), change(2, 'b@x Ben', 'y@x Ben')], [[1], [2]]],
  ['two who swap addresses', [change(1, 'a@x Ann', 'b@x Ann'), change(2, 'b@x Ben', 'A@x Ben')], [[1, 2]]],
  ['two who swap names', [change(1, 'a@x Ann', 'a@x ben'), change(2, 'b@x Ben', 'b@x Ann')], [[1, 2]]],
  [
    'three who rotate, and one of whom nobody wants anything',
    [
      change(1, 'a@x Ann', 'b@x Ann'),
      change(2, 'd@x Dan', 'e@x Dan'),
      change(3, 'b@x Ben', 'c@x Ben'),
      change(4, 'c@x Cem', 'a@x Cem'),
    ],
    [[1, 3, 4], [2]],
  ],
  ['a chain', [change(1, 'a@x Ann', 'b@x Ann'), change(2, 'b@x Ben', 'z@x Ben')], [[1, 2]]],
  ['an address of somebody who stays', [change(1, 'a@x Ann', 'q@x Ann')], [[1]]],
  ['an address that differs in casing', [change(1, 'a@x Ann', 'A@x Ann')], [[1]]],
])('%s', async (_what, changed, sets) => {
  const found = (await exchangesOf(changed)).map((set) => set.map(({ identity }) => identity.userId).sort());
  expect(found.sort()).toEqual(sets);
});
