import { type Document, textOf } from './attributes';
import type { GroupRow } from './groups.sql';
import { type Resource, resourceOf } from './resource';
import { invalidValue } from './scim-error';

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const MAX_LENGTH = 255;

/** A group, as providers see it; members only if they are listed. */
export function groupResource({ id, name, externalId, createdAtMs, memberIds, digest }: GroupRow): Resource {
  const members = memberIds?.map((userId) => ({ value: String(userId), type: 'User' })) ?? [];
  const document = {
    schemas: [SCHEMA],
    id: String(id),
    ...(externalId !== null && { externalId }),
    displayName: name,
    ...(members.length > 0 && { members }),
    meta: { resourceType: 'Group', created: new Date(createdAtMs).toISOString() },
  };
  return resourceOf(document, digest ?? '');
}

/** A group, as a provider wants it. */
export interface WantedGroup {
  displayName: string;
  externalId: string | null;
}

/** The wanted name of a document with the kept attributes. */
export function groupFromDocument(document: Document): WantedGroup {
  const displayName = textOf(document, 'displayName', MAX_LENGTH);
  if (displayName === null) throw invalidValue('displayName is missing');
  return { displayName, externalId: textOf(document, 'externalId', MAX_LENGTH) };
}
