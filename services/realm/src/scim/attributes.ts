import { invalidValue, scimError } from './scim-error';

export type Kind = 'User' | 'Group';

/** The attributes that providers may write, and the parts of complex ones. */
const WRITABLE: Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>> = {
  User: {
    userName: [],
    externalId: [],
    displayName: [],
    active: [],
    name: ['formatted', 'givenName', 'familyName'],
    emails: ['value', 'type', 'primary'],
  },
  Group: { displayName: [], externalId: [], members: ['value'] },
};

/** Standard attributes that are not kept: providers send them, and their values are ignored. */
const IGNORED = new Set(
  `id meta schemas groups nickname profileurl title usertype preferredlanguage locale timezone password phonenumbers ims photos
   addresses entitlements roles x509certificates`.split(/\s+/),
);

const PATH = /^(?:urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):)?(\w+)(?:\[(.{1,500})\])?(?:\.([\w$]+))?$/is;
/** Of other schemas, whoever has named them: `urn:okta:…`. */
const EXTENSION = /^urn:(?!ietf:params:scim:schemas:core:)/i;
const MAX_PATH_LENGTH = 600;

/** A path of a patch: an attribute, perhaps the condition on its values, perhaps a part. */
export interface AttributePath {
  name: string;
  condition: string | null;
  part: string | null;
}

/** The attribute in its own spelling; null: it is not kept. Throws for what no schema has. */
export function readPath(kind: Kind, path: string): AttributePath | null {
  if (EXTENSION.test(path)) return null;
  const [, word = '', condition = null, partWord = null] = (path.length <= MAX_PATH_LENGTH && PATH.exec(path)) || [];
  if (IGNORED.has(word.toLowerCase())) return null;
  const name = spelled(Object.keys(WRITABLE[kind]), word);
  if (name === undefined) throw scimError(400, 'invalidPath', `There is no attribute "${path.slice(0, 100)}"`);
  if (partWord === null) return { name, condition, part: null };
  const part = spelled(WRITABLE[kind][name] as readonly string[], partWord);
  // Parts such as name.middleName are ignored like whole attributes.
  return part === undefined ? null : { name, condition, part };
}

function spelled(names: readonly string[], word: string): string | undefined {
  return names.find((name) => name.toLowerCase() === word.toLowerCase());
}

export type Document = Record<string, unknown>;

/** The object of a request's JSON. */
export function documentFromInput(text: string): Document {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw scimError(400, 'invalidSyntax', 'The request is not JSON');
  }
  if (!isObject(value)) throw scimError(400, 'invalidSyntax', 'The request is not a JSON object');
  return value;
}

export function isObject(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A message's members in lower case: their names, too, may have any casing. */
export function membersOfMessage(message: Document): Document {
  return Object.fromEntries(Object.entries(message).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The kept attributes of a resource, in their own spelling. Names may have any casing (RFC 7643, section 2.1). */
export function keptAttributes(kind: Kind, document: Document): Document {
  const kept: Document = {};
  for (const [key, value] of Object.entries(document)) {
    const name = spelled(Object.keys(WRITABLE[kind]), key);
    if (name !== undefined) kept[name] = keptValue(kind, name, value);
  }
  return kept;
}

/** An attribute's value with the kept parts only. */
export function keptValue(kind: Kind, name: string, value: unknown): unknown {
  const parts = WRITABLE[kind][name] as readonly string[];
  if (parts.length === 0 || value === null || value === undefined) return value;
  if (name === 'name') return isObject(value) ? keptParts(parts, value) : refuse(name);
  return (Array.isArray(value) ? value : [value]).map((item: unknown) => {
    if (typeof item === 'string') return { value: item };
    return isObject(item) ? keptParts(parts, item) : refuse(name);
  });
}

function keptParts(parts: readonly string[], value: Document): Document {
  const kept: Document = {};
  for (const [key, part] of Object.entries(value)) {
    const name = spelled(parts, key);
    if (name !== undefined) kept[name] = part;
  }
  return kept;
}

function refuse(name: string): never {
  throw invalidValue(`${name} has an invalid value`);
}

/** A text within its bound; null: absent. */
export function textOf(document: Document, name: string, maxLength: number): string | null {
  const value = document[name] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string' || value.includes('\0')) throw invalidValue(`${name} is not a text`);
  if (value.length > maxLength) throw invalidValue(`${name} is too long (limit: ${maxLength} characters)`);
  return value.trim() === '' ? null : value.trim();
}

/** A truth value, which some providers write as a text: "False". */
export function truthOf(document: Document, name: string): boolean | null {
  const value = document[name] ?? null;
  if (value === null || typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (word !== 'true' && word !== 'false') throw invalidValue(`${name} is neither true nor false`);
  return word === 'true';
}
