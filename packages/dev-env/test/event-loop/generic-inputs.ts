import type { Endpoint } from '@parley/gateway/endpoints';
import { z } from 'zod';

type Schema = z.core.JSONSchema.JSONSchema;

/** A form may have a mebibyte; its names and its encoding take some of it. */
const MAX_BYTES = 900_000;
const MAX_ITEMS = 20_000;
const MAX_MEMBERS = 5_000;
/** In all of a parameter; a few are the objects around its lists. */
const MAX_VALUES = 24_900;

/**
 * Requests with one parameter each that is as large as a request may be, and of the others what is required, and small: each list and
 * each object, once right and once wrong, and one text, as all texts are read alike.
 */
export function genericInputs(endpoint: Endpoint): Record<string, string>[] {
  const parameters = Object.entries(endpoint.parameters)
    .filter(([, { place }]) => place === 'form')
    .map(([name, { schema, encoding, isRequired }]) => ({ name, encoding, isRequired, schema: jsonSchemaOf(schema) }));
  const small = parameters.filter(({ isRequired }) => isRequired).map((each) => [each.name, written(each, 1)] as const);
  const parts = parameters.filter(({ schema }) => isMadeOfParts(schema));
  // Many settings are alike.
  const lists = [...new Map(parts.map((each) => [JSON.stringify(each.schema), each])).values()];
  const text = parameters.find(({ schema }) => schema.type === 'string' && !schema.enum);
  return [
    ...lists.map((each) => [each.name, written(each, MAX_BYTES)] as const),
    ...lists.map((each) => [each.name, JSON.stringify(Array.from({ length: MAX_ITEMS }, () => null))] as const),
    ...(text ? [[text.name, written(text, MAX_BYTES)] as const] : []),
  ].map((large) => Object.fromEntries([...small, large]));
}

function jsonSchemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
}

function written({ encoding, schema }: { encoding: string; schema: Schema }, bytes: number): string {
  const value = sample(schema, bytes);
  return encoding === 'text' ? String(value) : JSON.stringify(value);
}

function isMadeOfParts(schema: Schema): boolean {
  const alternatives = schema.anyOf as Schema[] | undefined;
  if (alternatives) return alternatives.some(isMadeOfParts);
  return schema.type === 'array' || schema.type === 'object';
}

function sample(schema: Schema, bytes: number): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.const !== undefined) return schema.const;
  const alternatives = schema.anyOf as Schema[] | undefined;
  if (alternatives) return sample(alternatives.find(isMadeOfParts) ?? (alternatives[0] as Schema), bytes);
  if (schema.type === 'array') return listOf(schema, bytes);
  if (schema.type === 'object') return objectOf(schema, bytes);
  if (schema.type === 'string') return 'a '.repeat(Math.max(0, Math.min(schema.maxLength ?? bytes, bytes) / 2)) || 'a';
  if (schema.type === 'boolean') return true;
  return 1;
}

function listOf({ items, maxItems = MAX_ITEMS }: Schema, bytes: number): unknown[] {
  const schema = (items ?? {}) as Schema;
  const item = sample(schema, 1);
  const size = JSON.stringify(item).length + 7;
  const room = (MAX_VALUES * bytes) / MAX_BYTES / valuesIn(item);
  const length = Math.max(1, Math.floor(Math.min(maxItems, bytes / size, room)));
  return Array.from({ length }, (_each, at) => numbered(sample(schema, Math.floor(bytes / length) - size), at));
}

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + valuesIn(member), 1);
}

/** Items that are alike are often taken for one. */
function numbered(value: unknown, at: number): unknown {
  if (typeof value === 'number') return at + 1;
  if (typeof value === 'string') return `${at} ${value}`.trim();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, numbered(member, at)]));
}

function objectOf({ properties, additionalProperties }: Schema, bytes: number): Record<string, unknown> {
  const members = Object.entries(properties ?? {}) as [string, Schema][];
  if (members.length > 0) {
    return Object.fromEntries(members.map(([name, schema]) => [name, sample(schema, bytes / members.length)]));
  }
  const count = bytes > 1 ? MAX_MEMBERS : 1;
  const value = sample(
    typeof additionalProperties === 'object' ? additionalProperties : { type: 'string' },
    bytes / count - 20,
  );
  return Object.fromEntries(Array.from({ length: count }, (_each, at) => [`name ${at}`, value]));
}
