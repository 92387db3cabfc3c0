import { z } from 'zod';
import { endpoints } from '../endpoints';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, MAX_LIST_LENGTH, MAX_OBJECT_MEMBERS } from './bounds';
import { parameterDecoder } from './decode-parameters';
import type { ParameterTable } from './endpoint';
import { boundedText, json, opaqueText, type Parameter, pathId, text } from './parameters';

const BRANDS = ['service', 'acme'];

function decode(table: ParameterTable, sent: Record<string, string>, path: Record<string, string> = {}) {
  return parameterDecoder(table, BRANDS)(new Map(Object.entries(sent)), path);
}

function faultOf(table: ParameterTable, sent: Record<string, string>) {
  try {
    decode(table, sent);
  } catch (error) {
    return error as { message: string; code: string; fields: Record<string, unknown> };
  }
  throw new Error('accepted');
}

const object = z.strictObject({ a: z.int(), b: z.boolean().optional() });

describe('a parameter is refused in the words of the API:', () => {
  test.each([
    ['not JSON', json(z.boolean()), 'False', 'x is not valid JSON'],
    ['empty text where JSON is due', json(z.int()), '', 'x is not valid JSON'],
    ['a number for a boolean', json(z.boolean()), '1', 'x is not a boolean'],
    ['a text for an integer', json(z.int()), '"3"', 'x is not an integer'],
    ['a fraction for an integer', json(z.int()), '1.5', 'x is not an integer'],
    ['null where something is required', json(z.int()), 'null', 'x is not an integer'],
    ['a number for a word', json(z.enum(['a', 'b'])), '3', 'Invalid x'],
    ['an object for a list', json(z.array(z.int())), '{}', 'x is not a list'],
    ['a list for an object', json(object), '[]', 'x is not a dict'],
    ['a wrong item of a list', json(z.array(z.int())), '[1,"a"]', 'x[1] is not an integer'],
    ['a wrong member of an object in a list', json(z.array(object)), '[{"a":"1"}]', 'x[0]["a"] is not an integer'],
    ['a missing member', json(object), '{}', 'x["a"] field is missing: Field required'],
    ['a missing word', json(z.object({ a: z.enum(['b']) })), '{}', 'x["a"] field is missing: Field required'],
    [
      'a missing member of two forms',
      json(z.object({ a: z.union([z.int(), z.null()]) })),
      '{}',
      'x["a"] field is missing: Field required',
    ],
    ['an unknown member', json(object), '{"a":1,"k":2}', 'Argument "k" at x["k"] is unexpected'],
    ['a negative number', json(z.int().nonnegative()), '-1', 'x is too small'],
    ['a large number', json(z.int().max(5)), '6', 'x is too large'],
    ['a number beyond all ids', json(z.int()), '1e30', 'x is too large'],
    ['a word that is not offered', text(z.enum(['a', 'b'])), 'c', 'Invalid x'],
    ['blank text', text(z.string().min(1)), '', 'x cannot be blank'],
    ['long text', text(boundedText(2)), 'abc', 'x is too long (limit: 2 characters)'],
    ['text of a wrong form', text(z.string().regex(/^a/)), 'b', 'x has invalid format'],
    ['control characters in an identifier', text(opaqueText(9)), 'a\u0000', 'x has invalid format'],
    ['a list of a wrong length', json(z.array(z.int()).length(2)), '[1]', 'x is not length 2'],
    ['a long list', json(z.array(z.int()).max(1)), '[1,2]', 'x is too long (limit: 1 items)'],
    ['what a rule refuses', text(z.string().refine(() => false, 'no good')), 'a', 'Invalid x: no good'],
    [
      'a mixed list, by the form it came closest to',
      json(z.union([z.array(z.int()), z.array(z.string())])),
      '[1,"a"]',
      'x[1] is not an integer',
    ],
    [
      'JSON that is nested too deeply',
      json(z.unknown()),
      '['.repeat(MAX_JSON_DEPTH + 1) + ']'.repeat(MAX_JSON_DEPTH + 1),
      `x is nested too deeply (limit: ${MAX_JSON_DEPTH})`,
    ],
    [
      'a list of a length that serves nobody',
      json(z.unknown()),
      JSON.stringify(Array(MAX_LIST_LENGTH + 1).fill(0)),
      `x is too long (limit: ${MAX_LIST_LENGTH} items)`,
    ],
    [
      'an object of a size that serves nobody',
      json(z.unknown()),
      JSON.stringify(Object.fromEntries(Array.from({ length: MAX_OBJECT_MEMBERS + 1 }, (_each, at) => [at, 0]))),
      `x is too long (limit: ${MAX_OBJECT_MEMBERS} items)`,
    ],
    [
      'more values than are checked at once, in lists that are short',
      json(z.unknown()),
      JSON.stringify(Array(MAX_JSON_VALUES / 10).fill(Array(10).fill(0))),
      `x has too many values (limit: ${MAX_JSON_VALUES})`,
    ],
    ['null bytes', json(z.array(z.string())), '["a\\u0000"]', 'x must not contain null bytes'],
  ])('%s', (_case, parameter, sent, message) => {
    expect(faultOf({ x: parameter }, { x: sent })).toMatchObject({ code: 'BAD_REQUEST', message });
  });

  test('one that is missing', () => {
    expect(faultOf({ x: text(z.string()) }, {})).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      message: "Missing 'x' argument",
      fields: { var_name: 'x' },
    });
  });

  test('one that comes under both of its names', () => {
    const table = { topic: text(z.string(), { alias: 'subject' }) };
    expect(faultOf(table, { topic: 'a', subject: 'b' })).toMatchObject({
      code: 'REQUEST_CONFUSING_VAR',
      fields: { var_name1: 'topic', var_name2: 'subject' },
    });
  });

  test('the first fault in the order of declaration wins', () => {
    const table = { first: json(z.int()), second: json(z.int()) };
    expect(faultOf(table, { second: 'b', first: 'a' }).message).toBe('first is not valid JSON');
    expect(faultOf(table, { second: 'b' }).message).toBe("Missing 'first' argument");
  });
});

describe('a parameter', () => {
  test('that is absent takes its default, and JSON null is absence', () => {
    const table = { a: json(z.boolean().default(true)), b: json(z.int().optional()), c: json(z.int().nullable()) };
    expect(decode(table, { c: 'null' }).values).toEqual({ a: true, b: undefined, c: null });
    expect(decode(table, { a: 'null', b: 'null', c: '3' }).values).toEqual({ a: true, b: undefined, c: 3 });
  });

  test('that is text is taken as it is', () => {
    expect(decode({ x: text(z.string()) }, { x: ' "null" ' }).values).toEqual({ x: ' "null" ' });
  });

  test('that is one of a few words is taken as it is, and as JSON', () => {
    const table = { x: text(z.enum(['a', 'b']).default('b')) };
    expect(decode(table, { x: 'a' }).values).toEqual({ x: 'a' });
    expect(decode(table, { x: '"a"' }).values).toEqual({ x: 'a' });
    expect(faultOf(table, { x: '"c"' }).message).toBe('Invalid x');
  });

  test.each([
    ['plain text', 'a b', 'a b'],
    ['JSON', '"a b"', 'a b'],
    ['digits', '123', '123'],
    ['braces', '{a', '{a'],
    ['an object', '{"a":1}', '{"a":1}'],
    ['no text', '', ''],
    ['null, which is absence', 'null', undefined],
  ])('that is a string in JSON is also taken as it is: %s', (_case, sent, value) => {
    expect(decode({ x: json(z.string().optional()) }, { x: sent }).values).toEqual({ x: value });
  });

  test('that is a string or another type is parsed as JSON if possible, and otherwise text', () => {
    const x = json(z.union([z.int(), z.boolean(), z.string()]));
    const read = (sent: string) => decode({ x }, { x: sent }).values['x'];
    expect(['5', 'true', '"5"', 'unlimited', '[1', '#ff0000'].map(read)).toEqual([
      5,
      true,
      '5',
      'unlimited',
      '[1',
      '#ff0000',
    ]);
    expect(faultOf({ x }, { x: '[1]' }).message).toBe('x is not an integer');
  });

  test('may come under its alias', () => {
    expect(decode({ topic: text(z.string(), { alias: 'subject' }) }, { subject: 's' }).values).toEqual({ topic: 's' });
  });

  test('may lie in the path, where a form cannot replace it', () => {
    const { values, ignored } = decode({ message_id: pathId() }, { message_id: '9' }, { message_id: '7' });
    expect(values).toEqual({ message_id: 7 });
    expect(ignored).toEqual(['message_id']);
  });

  test('is measured in code points', () => {
    expect(decode({ x: text(boundedText(2)) }, { x: '😀😀' }).values).toEqual({ x: '😀😀' });
  });

  test('that is unknown is reported, in order; the name of the client never is', () => {
    const table = { topic: text(z.string().optional(), { alias: 'subject' }) };
    const { ignored } = decode(table, { zeta: '1', client: 'me', alpha: '2', subject: 's', __proto__x: '3' });
    expect(ignored).toEqual(['__proto__x', 'alpha', 'zeta']);
  });
});

describe('every parameter that may be a string is taken as plain text:', () => {
  /** A text that the parameter accepts, without any valid JSON in it. */
  function sampleOf({ schema }: Parameter): unknown {
    const { anyOf, ...whole } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const branches = (anyOf ?? [whole]) as z.core.JSONSchema.BaseSchema[];
    const words = branches.flatMap((branch) =>
      [branch.type].flat().includes('string') ? (branch.enum ?? ['a-b']) : [],
    );
    return words[0];
  }
  const declared = endpoints.flatMap(({ method, path, parameters }) =>
    Object.entries(parameters)
      .filter(([, parameter]) => parameter.place === 'form' && sampleOf(parameter) !== undefined)
      .map(([name, parameter]) => ({ method, path, name, parameter, sample: String(sampleOf(parameter)) })),
  );

  test('there are many', () => expect(declared.length).toBeGreaterThan(150));

  test.each(declared)('$name of $method $path', ({ name, parameter, sample }) => {
    const value = parameter.read(name, sample);
    expect([sample, sample === 'true']).toContain(value);
    if (parameter.encoding === 'json') expect(typeof parameter.read(name, 'a b')).toBe('string');
  });
});
