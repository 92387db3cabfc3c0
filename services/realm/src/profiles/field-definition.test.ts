import type { ProfileField } from '@parley/shared/proto';
import { changedDefinition, type FieldDefinition, fieldDefinitionFromInput } from './field-definition';

const TEXT: FieldDefinition = {
  type: 1,
  name: 'Phone',
  hint: '',
  fieldData: '',
  isInSummary: false,
  isRequired: false,
  isEditableByUser: true,
};
const field = (id: number, changes: Partial<ProfileField> = {}): ProfileField => ({
  ...TEXT,
  id,
  order: id,
  name: `Field ${id}`,
  ...changes,
});
const define = (changes: Partial<FieldDefinition>, others: ProfileField[] = []) =>
  fieldDefinitionFromInput({ ...TEXT, ...changes }, others);

const OPTIONS = { red: { text: 'Red', order: '1' }, blue: { text: 'Blue', order: '2' } };
const json = JSON.stringify;

test.each([
  ['texts are trimmed', { name: ' Phone ', hint: ' Mobile ' }, { name: 'Phone', hint: 'Mobile' }],
  ['data of types that keep none is dropped', { type: 4, fieldData: '{"a": 1}' }, { fieldData: '' }],
  ['options are kept', { type: 3, fieldData: json(OPTIONS) }, { fieldData: json(OPTIONS) }],
  [
    'a known kind of account has its own label',
    { type: 7, name: '', hint: 'ignored', fieldData: '{"subtype":"github"}' },
    { name: 'GitHub username', hint: '', fieldData: '{"subtype":"github"}' },
  ],
  [
    'another kind describes itself',
    { type: 7, fieldData: json({ subtype: 'custom', url_pattern: 'https://x.org/~%(username)s' }) },
    { name: 'Phone', fieldData: json({ subtype: 'custom', url_pattern: 'https://x.org/~%(username)s' }) },
  ],
])('%s', (_what, input, expected) => {
  expect(define(input)).toMatchObject(expected);
});

const ACCOUNT = (data: unknown) => ({ type: 7, fieldData: json(data) });
const CHOICES = (data: unknown) => ({ type: 3, fieldData: json(data) });
const IN_SUMMARY = [field(1, { isInSummary: true }), field(2, { isInSummary: true })];

// In the order of the checks: each row would also fail the later ones.
test.each<[Partial<FieldDefinition>, ProfileField[], string]>([
  [
    { type: 3, name: '', isInSummary: true },
    IN_SUMMARY,
    'Only 2 custom profile fields can be displayed in the profile summary.',
  ],
  [{ name: '', fieldData: '{' }, [], 'field_data is not valid JSON'],
  [{ type: 3, name: '', fieldData: '[]' }, [], 'field_data is not a dict'],
  [{ type: 3, name: '' }, [], 'Field must have at least one choice.'],
  [CHOICES({ ' ': OPTIONS.red }), [], "'value' cannot be blank."],
  [CHOICES({ a: 'Red' }), [], 'field_data["a"] is not a dict'],
  [CHOICES({ a: { order: '1' } }), [], 'field_data["a"]["text"] field is missing: Field required'],
  [CHOICES({ a: { text: 'Red', order: 1 } }), [], 'field_data["a"]["order"] is not a string'],
  [CHOICES({ a: { text: ' ', order: '1' } }), [], 'field_data["a"]["text"] cannot be blank'],
  [CHOICES({ a: { ...OPTIONS.red, hue: 0 } }), [], 'Argument "hue" at field_data["a"]["hue"] is unexpected'],
  [CHOICES({ a: OPTIONS.red, b: OPTIONS.red }), [], 'Field must not have duplicate choices.'],
  [ACCOUNT({ subtype: 'custom' }), [], 'Custom external account must define URL pattern'],
  [ACCOUNT({ subtype: 'custom', url_pattern: 'https://x.org/' }), [], "URL pattern must contain '%(username)s'."],
  [
    ACCOUNT({ subtype: 'custom', url_pattern: 'https://x.org/%(username)s/%(username)s' }),
    [],
    "URL pattern must contain '%(username)s'.",
  ],
  [
    ACCOUNT({ subtype: 'custom', url_pattern: 'javascript:%(username)s' }),
    [],
    'field_data["url_pattern"] is not a URL',
  ],
  [ACCOUNT({ subtype: 'toString' }), [], 'Invalid external account type'],
  [ACCOUNT({}), [], 'field_data["subtype"] field is missing: Field required'],
  [{ type: 9, name: ' ' }, [], 'Label cannot be blank.'],
  [{ type: 9, name: 'x'.repeat(41), hint: 'x'.repeat(81) }, [], 'name is too long (limit: 40 characters)'],
  [{ type: 9, hint: 'x'.repeat(81) }, [], 'hint is too long (limit: 80 characters)'],
  [{ type: 9 }, [], 'Invalid field type.'],
  [
    { type: 2, isInSummary: true },
    [field(1, { name: 'Phone' })],
    'Field type not supported for display in profile summary.',
  ],
  [{ type: 6, isInSummary: true }, [], 'Field type not supported for display in profile summary.'],
  [{}, [field(1, { name: 'Phone' })], 'A field with that label already exists.'],
  [{ fieldData: `{"a": "${'x'.repeat(10_000)}"}`, type: 3 }, [], 'field_data is too long (limit: 10000 characters)'],
])('%j among %j is refused', (changes, others, message) => {
  expect(() => define(changes, others)).toThrow(message);
});

test('labels are the same only when every letter is', () => {
  expect(define({ name: 'phone' }, [field(1, { name: 'Phone' })]).name).toBe('phone');
});

describe('a change', () => {
  test('keeps omitted values', () => {
    expect(changedDefinition(field(1), { hint: 'new' }, [])).toEqual({ ...TEXT, name: 'Field 1', hint: 'new' });
  });

  test('may leave a field in a full summary, not put one more there', () => {
    const shown = field(3, { isInSummary: true });
    expect(changedDefinition(shown, { isInSummary: true, hint: 'x' }, IN_SUMMARY).hint).toBe('x');
    expect(() => changedDefinition(field(3), { isInSummary: true }, IN_SUMMARY)).toThrow('Only 2 custom');
  });

  test('of a field for a known kind of account keeps what identifies that kind', () => {
    const github = field(1, { type: 7, name: 'GitHub username', fieldData: '{"subtype":"github"}' });
    const same = { name: 'GitHub username', hint: '', fieldData: '{"subtype":"github"}', isRequired: true };
    expect(changedDefinition(github, same, []).isRequired).toBe(true);
    for (const change of [{ name: 'Git' }, { hint: 'x' }, { fieldData: '{"subtype":"twitter"}' }]) {
      expect(() => changedDefinition(github, change, [])).toThrow('Default custom field cannot be updated.');
    }
  });
});
