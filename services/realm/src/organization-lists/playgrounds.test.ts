import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { addPlayground, removePlayground } from './playgrounds';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const RUST = { name: 'Rust', pygmentsLanguage: 'Rust', urlTemplate: 'https://play.example.com/?code={code}' };
const add = (changes: Partial<typeof RUST> = {}) => addPlayground(ctx, olivia, { ...RUST, ...changes });
const errorsOf = async (changes: Partial<typeof RUST>) => {
  const refused = (error: { message: string; fields: unknown }) => [error.message, error.fields];
  return add(changes).then(() => null, refused);
};

test('every change announces all playgrounds to everybody', async () => {
  const { id: first } = await add({ name: ' Rust ', pygmentsLanguage: ' Rust', urlTemplate: `${RUST.urlTemplate}  ` });
  const { id: second } = await add({ name: 'Other' });
  await removePlayground(ctx, olivia, { id: first });
  const shown = { pygments_language: 'Rust', url_template: RUST.urlTemplate };
  const [one, other] = [
    { id: first, name: 'Rust', ...shown },
    { id: second, name: 'Other', ...shown },
  ];
  expect(await publicEvents(ctx, olivia, 'realm_playgrounds')).toEqual(
    [[one], [one, other], [other]].map((realm_playgrounds) => ({
      audience: { to: 'realm' },
      event: { type: 'realm_playgrounds', realm_playgrounds },
    })),
  );
});

const MISSING = 'Missing the required variable "code" in the URL template';
const ONLY = '"code" should be the only variable present in the URL template';
const BLANK = 'This field cannot be blank.';

test.each([
  [{ pygmentsLanguage: 'C&' }, 'Invalid characters in pygments language', {}],
  [{ pygmentsLanguage: 'C\n+' }, 'Invalid characters in pygments language', {}],
  [{ name: ' ' }, BLANK, { errors: { name: [BLANK] } }],
  [{ pygmentsLanguage: '' }, BLANK, { errors: { pygments_language: [BLANK] } }],
  [{ urlTemplate: 'https://x/{' }, 'Invalid URL template.', { errors: { url_template: ['Invalid URL template.'] } }],
  [
    { urlTemplate: 'javascript:{code}' },
    'Invalid URL template.',
    { errors: { url_template: ['Invalid URL template.'] } },
  ],
  [{ urlTemplate: '{+code}' }, 'Invalid URL template.', { errors: { url_template: ['Invalid URL template.'] } }],
  [{ urlTemplate: 'https://x/' }, MISSING, { errors: { __all__: [MISSING] } }],
  [{ urlTemplate: 'https://x/{lang}' }, MISSING, { errors: { __all__: [MISSING] } }],
  [{ urlTemplate: 'https://x/{lang}/{code}' }, ONLY, { errors: { __all__: [ONLY] } }],
])('%j is refused', async (changes, message, fields) => {
  expect(await errorsOf(changes)).toEqual([message, fields]);
});

test('a language has each name once', async () => {
  await add();
  expect((await errorsOf({}))?.[1]).toEqual({ errors: { __all__: [expect.stringContaining('already exists')] } });
  await add({ pygmentsLanguage: 'C++' });
});

test('bounds hold', async () => {
  await add({ name: 'x'.repeat(100), pygmentsLanguage: 'a'.repeat(40) });
  for (const changes of [{ name: 'x'.repeat(101) }, { pygmentsLanguage: 'a'.repeat(41) }]) {
    expect((await errorsOf(changes))?.[0]).toMatch('is too long');
  }
  expect((await errorsOf({ urlTemplate: `https://x/{code}${'a'.repeat(1000)}` }))?.[0]).toMatch('is too long');
});

test('only administrators may, and only in their organization', async () => {
  const iago = await newUser(ctx, olivia);
  const stranger = await newOrganization(ctx);
  const { id } = await add();
  const refusal = { code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization administrator' };
  await expect(addPlayground(ctx, iago, RUST)).rejects.toMatchObject(refusal);
  await expect(removePlayground(ctx, iago, { id })).rejects.toMatchObject(refusal);
  await expect(removePlayground(ctx, stranger, { id })).rejects.toMatchObject({
    name: 'NothingToDoError',
    message: 'Invalid playground',
  });
});
