import { type Document, keptAttributes, textOf, truthOf } from './attributes';
import { invalidValue } from './scim-error';
import type { UserRow } from './users.sql';

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
const MAX_NAME_LENGTH = 255;
const MAX_EMAIL_LENGTH = 254;

/** An account, as providers see it. */
export function userDocument(row: UserRow): Document {
  const { id, userName, externalId, fullName, isActive, email, isEmailPrimary, groups, createdAtMs } = row;
  return {
    schemas: [SCHEMA],
    id: String(id),
    ...(externalId !== null && { externalId }),
    userName,
    ...nameOf(row),
    displayName: fullName,
    active: isActive,
    emails: [{ value: email, type: 'work', primary: isEmailPrimary }],
    ...(groups.length > 0 && { groups: groups.map((group) => ({ ...group, type: 'direct' })) }),
    meta: { resourceType: 'User', created: new Date(createdAtMs).toISOString() },
  };
}

function nameOf({ givenName, familyName }: UserRow): Document {
  if (givenName === null && familyName === null) return {};
  return { name: { ...(givenName !== null && { givenName }), ...(familyName !== null && { familyName }) } };
}

/** The part of an account that a patch changes. */
export function writableUser(row: UserRow): Document {
  return keptAttributes('User', userDocument(row));
}

/** An account, as a provider wants it; null: no statement. */
export interface WantedUser {
  userName: string;
  externalId: string | null;
  givenName: string | null;
  familyName: string | null;
  fullName: string | null;
  isActive: boolean | null;
  email: string | null;
  /** Whether the provider calls the address the primary one. */
  isEmailPrimary: boolean | null;
}

/** The wanted account of a document with the kept attributes. */
export function userFromDocument(document: Document): WantedUser {
  const userName = textOf(document, 'userName', MAX_NAME_LENGTH);
  if (userName === null) throw invalidValue('userName is missing');
  const name = (document['name'] ?? {}) as Document;
  const givenName = textOf(name, 'givenName', MAX_NAME_LENGTH);
  const familyName = textOf(name, 'familyName', MAX_NAME_LENGTH);
  const formatted = textOf(name, 'formatted', MAX_NAME_LENGTH);
  return {
    userName,
    externalId: textOf(document, 'externalId', MAX_NAME_LENGTH),
    givenName,
    familyName,
    fullName: textOf(document, 'displayName', MAX_NAME_LENGTH) ?? formatted ?? joined(givenName, familyName),
    isActive: truthOf(document, 'active'),
    ...emailOf((document['emails'] ?? []) as Document[]),
  };
}

/** The full name that follows from its parts; null: there are none. */
function joined(givenName: string | null, familyName: string | null): string | null {
  return [givenName, familyName].filter((part) => part !== null).join(' ') || null;
}

/** An account has one address: the last primary one, as an added one replaces the former; else the last one for work, else the last. */
function emailOf(emails: readonly Document[]): Pick<WantedUser, 'email' | 'isEmailPrimary'> {
  const isPrimary = (email: Document) => truthOf(email, 'primary') === true;
  const isForWork = ({ type }: Document) => typeof type === 'string' && type.toLowerCase() === 'work';
  const chosen = emails.findLast(isPrimary) ?? emails.findLast(isForWork) ?? emails.at(-1);
  if (chosen === undefined) return { email: null, isEmailPrimary: null };
  return { email: textOf(chosen, 'value', MAX_EMAIL_LENGTH), isEmailPrimary: truthOf(chosen, 'primary') };
}

/**
 * The full name after a patch: the changed one, or the one that follows from changed parts where the present one did. Null: unchanged.
 */
export function patchedName(row: UserRow, before: Document, after: Document): string | null {
  const wanted = userFromDocument(after);
  if (after['displayName'] !== before['displayName']) return wanted.fullName;
  const formatted = textOf((after['name'] ?? {}) as Document, 'formatted', MAX_NAME_LENGTH);
  if (formatted !== null) return formatted;
  const isFromParts = joined(row.givenName, row.familyName) === row.fullName;
  return isFromParts ? joined(wanted.givenName, wanted.familyName) : null;
}
