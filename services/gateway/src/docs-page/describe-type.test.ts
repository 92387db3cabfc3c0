import { z } from 'zod';
import { describeType, type JsonSchema } from './describe-type';

test.each([
  ['a word', z.string(), 'string'],
  ['one of some words', z.enum(['a', 'b']), '"a" | "b"'],
  ['a constant', z.literal(3), '3'],
  ['nothing, perhaps', z.int().nullable(), 'integer | null'],
  ['a list', z.array(z.int()), 'integer[]'],
  ['a list of either', z.array(z.union([z.int(), z.string()])), '(integer | string)[]'],
  ['a pair', z.tuple([z.string(), z.int()]), '[string, integer]'],
  ['an object', z.object({ id: z.int(), name: z.string().optional() }), '{ id: integer, name?: string }'],
  ['names and values', z.record(z.string(), z.boolean()), '{ [name]: boolean }'],
  ['anything', z.unknown(), 'any'],
])('%s', (_what, schema, expected) => {
  expect(describeType(z.toJSONSchema(schema) as JsonSchema)).toBe(expected);
});

test('deep nesting is abbreviated', () => {
  const inner = z.object({ a: z.int() });
  const schema = z.object({ b: z.object({ c: z.object({ d: inner }) }) });
  expect(describeType(z.toJSONSchema(schema) as JsonSchema)).toBe('{ b: { c: { d: { … } } } }');
});
