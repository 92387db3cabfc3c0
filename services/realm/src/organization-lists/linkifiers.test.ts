import type { LinkifiersChanged } from '@parley/shared/events';
import type { Caller } from '@parley/shared/rpc';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser } from '../../test/examples';
import { payloadsOf, publicEvents } from '../../test/public-events';
import { addLinkifier, listLinkifiers, removeLinkifier, reorderLinkifiers, updateLinkifier } from './linkifiers';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

const TEMPLATE = 'https://example.com/{id}';
const patternOf = (prefix: string) => `${prefix}(?P<id>\\d+)`;
const add = async (prefix: string, caller: Caller = olivia) =>
  (await addLinkifier(ctx, caller, { pattern: patternOf(prefix), urlTemplate: TEMPLATE })).id;
const patterns = async () => (await listLinkifiers(ctx, iago)).linkifiers.map(({ pattern }) => pattern);
const announced = async () =>
  (await payloadsOf<LinkifiersChanged>(ctx, olivia, 'linkifiers.changed')).map(({ linkifiers }) =>
    linkifiers.map(({ pattern }) => pattern),
  );

test('a new linkifier is the last one; every change announces all linkifiers to everybody', async () => {
  const first = await add('A');
  const second = await add('B');
  await removeLinkifier(ctx, olivia, { id: first });
  const third = await add('C');
  await updateLinkifier(ctx, olivia, { id: second, pattern: patternOf('D'), urlTemplate: TEMPLATE });
  expect(await listLinkifiers(ctx, iago)).toEqual({
    linkifiers: [
      { id: second, pattern: patternOf('D'), urlTemplate: TEMPLATE },
      { id: third, pattern: patternOf('C'), urlTemplate: TEMPLATE },
    ],
  });
  expect(await announced()).toEqual(
    [['A'], ['A', 'B'], ['B'], ['B', 'C'], ['D', 'C']].map((prefixes) => prefixes.map(patternOf)),
  );
  expect((await publicEvents(ctx, olivia, 'realm_linkifiers'))[0]?.audience).toEqual({ to: 'realm' });
});

test('an update without changes is not announced', async () => {
  const id = await add('A');
  const same = { id, pattern: patternOf('A'), urlTemplate: TEMPLATE };
  expect(await updateLinkifier(ctx, olivia, same)).toEqual({});
  expect(await reorderLinkifiers(ctx, olivia, { orderedIds: [id] })).toEqual({});
  expect(await announced()).toHaveLength(1);
});

test('the order is the requested one', async () => {
  const [a, b, c] = [await add('A'), await add('B'), await add('C')];
  await reorderLinkifiers(ctx, olivia, { orderedIds: [c, a, b] });
  expect(await patterns()).toEqual(['C', 'A', 'B'].map(patternOf));
  expect((await announced()).at(-1)).toEqual(['C', 'A', 'B'].map(patternOf));
});

test('an order names every linkifier once', async () => {
  expect(await reorderLinkifiers(ctx, olivia, { orderedIds: [] })).toEqual({});
  const [a, b] = [await add('A'), await add('B')];
  const twice = 'The ordered list must not contain duplicated linkifiers';
  const incomplete = 'The ordered list must enumerate all existing linkifiers exactly once';
  const reorder = (...orderedIds: number[]) => reorderLinkifiers(ctx, olivia, { orderedIds });
  await expect(reorder(a, b, a)).rejects.toThrow(twice);
  await expect(reorder(a)).rejects.toThrow(incomplete);
  await expect(reorder(a, b, 2 ** 60)).rejects.toThrow(incomplete);
  await expect(reorder(a, 0.5)).rejects.toThrow(incomplete);
});

test('linkifiers of other organizations do not exist', async () => {
  const id = await add('A');
  const stranger = await newOrganization(ctx);
  const change = { id, pattern: 'x', urlTemplate: 'https://example.com' };
  await expect(updateLinkifier(ctx, stranger, change)).rejects.toThrow('Linkifier not found.');
  await expect(removeLinkifier(ctx, stranger, { id })).rejects.toMatchObject({
    name: 'NothingToDoError',
    message: 'Linkifier not found.',
  });
  expect(await listLinkifiers(ctx, stranger)).toEqual({ linkifiers: [] });
  expect(await add('A', stranger)).not.toBe(id);
});

test('only administrators change linkifiers, which is checked before all else', async () => {
  const refusal = { code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization administrator' };
  await expect(addLinkifier(ctx, iago, { pattern: '(', urlTemplate: '{' })).rejects.toMatchObject(refusal);
  const change = { id: 0, pattern: '(', urlTemplate: '{' };
  await expect(updateLinkifier(ctx, iago, change)).rejects.toMatchObject(refusal);
  await expect(removeLinkifier(ctx, iago, { id: 0 })).rejects.toMatchObject(refusal);
  await expect(reorderLinkifiers(ctx, iago, { orderedIds: [1, 1] })).rejects.toMatchObject(refusal);
  const admin = await newUser(ctx, olivia, { role: 200 });
  expect(await add('A', admin)).toEqual(expect.any(Number));
});

test('an invalid or repeated pattern changes nothing', async () => {
  const id = await add('A');
  const other = await add('B');
  await expect(add('A')).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: { errors: { __all__: expect.any(Array) } },
  });
  const taken = { id: other, pattern: patternOf('A'), urlTemplate: TEMPLATE };
  await expect(updateLinkifier(ctx, olivia, taken)).rejects.toThrow('already exists');
  await expect(updateLinkifier(ctx, olivia, { ...taken, id, urlTemplate: '{' })).rejects.toThrow(
    'Invalid URL template.',
  );
  expect(await patterns()).toEqual(['A', 'B'].map(patternOf));
});

test('of two concurrent additions with one pattern, one is refused', async () => {
  const outcomes = await Promise.allSettled([add('A'), add('A'), add('A')]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'BAD_REQUEST' });
});
