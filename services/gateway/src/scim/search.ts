import type { ScimSelection } from '@parley/shared/proto';
import { z } from 'zod';
import { invalid } from './scim-request';

const MAX_NAMES = 50;
const USUAL_COUNT = 100;
const MAX_NUMBER = 999_999_999;

/** Which resources are asked for, and which of their attributes. */
export interface Search {
  filter?: string;
  startIndex: number;
  count: number;
  selection: ScimSelection;
}

/** The search in an address. */
export function searchOf(query: URLSearchParams): Search {
  const filter = query.get('filter');
  return {
    ...(filter !== null && { filter }),
    startIndex: Math.max(1, integerOf(query, 'startIndex', 1)),
    count: integerOf(query, 'count', USUAL_COUNT),
    selection: selectionOf(query),
  };
}

/** Attributes that the answer should have, or should not. */
export function selectionOf(query: URLSearchParams): ScimSelection {
  return { attributes: namesOf(query, 'attributes'), excluded: namesOf(query, 'excludedAttributes') };
}

function namesOf(query: URLSearchParams, name: string): string[] {
  const names = (query.get(name) ?? '').split(',').filter((each) => each.trim() !== '');
  if (names.length > MAX_NAMES) throw invalid('invalidValue', `${name} is too long (limit: ${MAX_NAMES} names)`);
  return names;
}

function integerOf(query: URLSearchParams, name: string, usual: number): number {
  const text = query.get(name);
  if (text === null) return usual;
  if (!/^-?\d{1,9}$/.test(text)) throw invalid('invalidValue', `${name} is not a number`);
  return Number(text);
}

const number = z.number().int().min(-MAX_NUMBER).max(MAX_NUMBER);
const names = z.array(z.string()).max(MAX_NAMES).default([]);

/** Its members in lower case: their names may have any casing (RFC 7643, section 2.1). */
const SEARCH_REQUEST = z.object({
  schemas: z
    .array(z.string())
    .refine((schemas) => schemas.includes('urn:ietf:params:scim:api:messages:2.0:SearchRequest')),
  filter: z.string().optional(),
  startindex: number.default(1),
  count: number.default(USUAL_COUNT),
  attributes: names,
  excludedattributes: names,
});

/** The search in a SearchRequest (RFC 7644, section 3.4.3). */
export function searchFromDocument(document: string): Search {
  const { filter, startindex: startIndex, count, attributes, excludedattributes: excluded } = requestFrom(document);
  const page = { startIndex: Math.max(1, startIndex), count };
  return { ...(filter !== undefined && { filter }), ...page, selection: { attributes, excluded } };
}

function requestFrom(document: string): z.infer<typeof SEARCH_REQUEST> {
  let value: unknown;
  try {
    value = JSON.parse(document);
  } catch {
    throw invalid('invalidSyntax', 'The request is not JSON');
  }
  const { success, data, error } = SEARCH_REQUEST.safeParse(inLowerCase(value));
  if (!success) throw invalid('invalidSyntax', `The search cannot be read: ${error.issues[0]?.path.join('.') ?? ''}`);
  return data;
}

function inLowerCase(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
}
