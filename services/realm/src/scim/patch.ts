import { ScimError, type ScimPatchOperation, scimPatch } from 'scim-patch';
import {
  type AttributePath,
  type Document,
  isObject,
  type Kind,
  keptValue,
  membersOfMessage,
  readPath,
} from './attributes';
import { scimError } from './scim-error';

const SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const MAX_OPERATIONS = 1_000;
const VERBS = ['add', 'replace', 'remove'] as const;

/** One operation of a patch on an attribute that is kept. */
export interface Operation {
  verb: (typeof VERBS)[number];
  path: AttributePath;
  value: unknown;
}

/**
 * The operations of a PatchOp, in order; those on attributes that are not kept are left out. Providers write verbs in any casing, and
 * several attributes in one operation without a path.
 */
export function operationsFromInput(kind: Kind, document: Document): Operation[] {
  const { schemas, operations } = membersOfMessage(document);
  if (!Array.isArray(schemas) || !schemas.includes(SCHEMA)) throw invalidSyntax(`schemas must have ${SCHEMA}`);
  if (!Array.isArray(operations) || operations.length === 0) throw invalidSyntax('Operations are missing');
  if (operations.length > MAX_OPERATIONS) throw invalidSyntax(`Too many operations (limit: ${MAX_OPERATIONS})`);
  return operations.flatMap((operation: unknown) => operationsOf(kind, operation));
}

function invalidSyntax(detail: string) {
  return scimError(400, 'invalidSyntax', detail);
}

function operationsOf(kind: Kind, operation: unknown): Operation[] {
  if (!isObject(operation)) throw invalidSyntax('An operation is not an object');
  const { op, path, value } = membersOfMessage(operation);
  const verb = VERBS.find((each) => typeof op === 'string' && each === op.toLowerCase());
  if (verb === undefined) throw invalidSyntax('An operation is neither add, replace nor remove');
  if (typeof path === 'string' && path !== '') return onAttribute(kind, verb, path, value);
  if (path !== undefined && path !== null && path !== '') throw scimError(400, 'invalidPath', 'A path is not a text');
  if (verb === 'remove') throw scimError(400, 'noTarget', 'remove needs a path');
  if (!isObject(value)) throw invalidSyntax('An operation without a path needs an object');
  return Object.entries(value).flatMap(([name, each]) => onAttribute(kind, verb, name, each));
}

function onAttribute(kind: Kind, verb: Operation['verb'], text: string, value: unknown): Operation[] {
  const path = readPath(kind, text);
  if (path === null) return [];
  if (verb !== 'remove' && value === undefined) throw invalidSyntax(`${verb} needs a value`);
  return [{ verb, path, value: path.part === null ? keptValue(kind, path.name, value) : value }];
}

/** A resource after simple operations: all but those on members. Throws SCIM's errors. */
export function patched(document: Document, operations: readonly Operation[]): Document {
  try {
    return scimPatch(structuredClone(document) as never, operations.map(toLibrary)) as never;
  } catch (error) {
    if (error instanceof ScimError) throw scimError(400, 'invalidPath', error.message.slice(0, 300));
    throw error;
  }
}

function toLibrary({ verb, path: { name, condition, part }, value }: Operation): ScimPatchOperation {
  // A part of all values means that of the one that counts.
  const which = condition ?? (name === 'emails' && part !== null ? 'type eq "work"' : null);
  const path = `${name}${which === null ? '' : `[${which}]`}${part === null ? '' : `.${part}`}`;
  // A list with a condition is changed item by item.
  const single = which !== null && part === null && Array.isArray(value) ? value[0] : value;
  return (verb === 'remove' ? { op: verb, path } : { op: verb, path, value: single }) as ScimPatchOperation;
}
