import type { NavigationView } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newUser } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { getRegisterState } from '../register/get-register-state';
import { addNavigationView, getNavigationViews, removeNavigationView, updateNavigationView } from './navigation-views';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const INBOX: NavigationView = { fragment: 'inbox', isPinned: true };
const OWN: NavigationView = { fragment: 'narrow/is/alerted', isPinned: false, name: 'Alerts' };
const add = (view: NavigationView, caller: Caller = olivia) => addNavigationView(ctx, caller, view);
const viewsOf = async (caller: Caller) => (await getNavigationViews(ctx, caller)).views;
const announced = async () => (await publicEvents(ctx, olivia, 'navigation_view')).map(({ event }) => event);

test('views are stored in the order of addition, for their user only', async () => {
  const iago = await newUser(ctx, olivia);
  await add(OWN);
  await add(INBOX);
  await add(INBOX, iago);
  expect(await viewsOf(olivia)).toEqual([OWN, INBOX]);
  expect((await getRegisterState(ctx, olivia)).personal?.navigationViews).toEqual([OWN, INBOX]);
  expect(await viewsOf(iago)).toEqual([INBOX]);
});

test('every change is announced to the user only', async () => {
  await add(INBOX);
  await add(OWN);
  await updateNavigationView(ctx, olivia, { fragment: 'inbox', isPinned: false });
  await updateNavigationView(ctx, olivia, { fragment: 'inbox', isPinned: false });
  await updateNavigationView(ctx, olivia, { fragment: OWN.fragment });
  await updateNavigationView(ctx, olivia, { fragment: OWN.fragment, name: 'Alarms', isPinned: false });
  await removeNavigationView(ctx, olivia, { fragment: 'inbox' });
  const [first] = await publicEvents(ctx, olivia, 'navigation_view');
  expect(first?.audience).toEqual({ to: 'users', userIds: [olivia.userId] });
  expect(await announced()).toEqual([
    { type: 'navigation_view', op: 'add', navigation_view: { fragment: 'inbox', is_pinned: true, name: null } },
    {
      type: 'navigation_view',
      op: 'add',
      navigation_view: { fragment: OWN.fragment, is_pinned: false, name: 'Alerts' },
    },
    { type: 'navigation_view', op: 'update', fragment: 'inbox', data: { is_pinned: false } },
    { type: 'navigation_view', op: 'update', fragment: OWN.fragment, data: { name: 'Alarms' } },
    { type: 'navigation_view', op: 'remove', fragment: 'inbox' },
  ]);
  expect(await viewsOf(olivia)).toEqual([{ ...OWN, name: 'Alarms' }]);
});

test.each<[Partial<NavigationView>, string]>([
  [{ fragment: '' }, 'fragment cannot be blank'],
  [{ fragment: '  ' }, 'fragment cannot be blank'],
  [{ fragment: 'x'.repeat(1_001) }, 'fragment is too long (limit: 1000 characters)'],
  [{ fragment: 'a\0' }, 'Invalid character in fragment, at position 2.'],
  [{ fragment: 'inbox', name: 'Mine' }, 'Built-in views cannot have a custom name.'],
  [{ fragment: 'narrow/is/starred', name: '' }, 'Built-in views cannot have a custom name.'],
  [{ fragment: 'narrow/is/alerted' }, 'Custom views must have a valid name.'],
  [{ fragment: 'narrow/is/alerted', name: ' ' }, 'Custom views must have a valid name.'],
  [{ fragment: 'narrow/is/alerted', name: 'x'.repeat(101) }, 'name is too long (limit: 100 characters)'],
  [{ fragment: 'taken', name: 'Other' }, 'Navigation view already exists.'],
  [{ fragment: 'other', name: 'Taken' }, 'Navigation view already exists.'],
])('refuses %j', async (view, message) => {
  const taken = { fragment: 'taken', isPinned: true, name: 'Taken' };
  await add(taken);
  await expect(add({ fragment: '', isPinned: true, ...view })).rejects.toThrow(message);
  expect(await viewsOf(olivia)).toEqual([taken]);
});

describe('a change', () => {
  test('of a view that does not exist finds nothing, in the code that each operation has', async () => {
    const iago = await newUser(ctx, olivia);
    await add(INBOX, iago);
    const missing = { message: 'Navigation view does not exist.', httpStatus: 404 };
    const update = updateNavigationView(ctx, olivia, { fragment: 'inbox', isPinned: true });
    await expect(update).rejects.toMatchObject({ ...missing, code: 'NOT_FOUND' });
    for (const fragment of ['inbox', 'nul\0']) {
      const removal = removeNavigationView(ctx, olivia, { fragment });
      await expect(removal).rejects.toMatchObject({ ...missing, code: 'BAD_REQUEST' });
    }
  });

  test('keeps names unique, and built-in views without one', async () => {
    await add(INBOX);
    await add(OWN);
    await add({ fragment: 'other', isPinned: true, name: 'Other' });
    const rename = (fragment: string, name: string) => updateNavigationView(ctx, olivia, { fragment, name });
    await expect(rename('other', 'Alerts')).rejects.toThrow('Navigation view already exists.');
    await expect(rename('other', '')).rejects.toThrow('Custom views must have a valid name.');
    await expect(rename('inbox', 'Mine')).rejects.toThrow('Built-in views cannot have a custom name.');
  });
});

test('of two views added at once under one name one remains', async () => {
  const results = await Promise.allSettled([add({ ...OWN, fragment: 'a' }), add({ ...OWN, fragment: 'b' })]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await viewsOf(olivia)).toHaveLength(1);
});

test('refuses more views than a sidebar can hold', async () => {
  await ctx.db.query(
    `insert into navigation_view (realm_id, user_id, fragment, is_pinned, name)
     select $1, $2, n::text, false, n::text from generate_series(1, 200) n`,
    [olivia.realmId, olivia.userId],
  );
  await expect(add(INBOX)).rejects.toThrow('You cannot have more than 200 navigation views.');
});
