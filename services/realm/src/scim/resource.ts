import { createHash } from 'node:crypto';
import type { Sql, Transaction } from '@parley/shared/db';
import type { Deed } from '../audit/chain';
import type { Context } from '../context';
import type { Document } from './attributes';
import type { Condition } from './filter.sql';
import { scimError } from './scim-error';
import type { Provider } from './tokens';

/** A provider's acts, for the audit log. */
export interface Act extends Provider {
  name: string;
  requestId: string;
  address: string | undefined;
}

interface Changed {
  id: string;
  document: Document;
  /** The accepted versions; empty: any. */
  versions: readonly string[];
}

/** A resource as it is sent, and its version, which changes with every change of it, also by others than the provider. */
export interface Resource {
  document: Document;
  version: string;
}

/** `digest` stands for members, which the document may leave out. */
export function resourceOf(document: Document, digest = ''): Resource {
  const { members: _, ...rest } = document;
  const hash = createHash('sha256').update(JSON.stringify(rest)).update(digest).digest('base64url');
  return { document, version: `W/"${hash.slice(0, 22)}"` };
}

/** The operations on one kind of resources, each in the request's transaction. */
export interface Resources {
  create(ctx: Context, tx: Transaction, act: Act, document: Document): Promise<Resource>;
  get(sql: Sql, realmId: number, id: string, isSelected: (name: string) => boolean): Promise<Resource>;
  list(
    sql: Sql,
    realmId: number,
    condition: Condition,
    page: { offset: number; count: number; isSelected: (name: string) => boolean },
  ): Promise<{ total: number; resources: Resource[] }>;
  replace(ctx: Context, tx: Transaction, act: Act, change: Changed): Promise<Resource>;
  /** Null: the answer has no document. */
  patch(ctx: Context, tx: Transaction, act: Act, change: Changed): Promise<Resource | null>;
  remove(ctx: Context, tx: Transaction, act: Act, change: Omit<Changed, 'document'>): Promise<void>;
}

/** The entry of the audit log: the token is the actor. */
export function deedOf({ name, requestId, address, tokenId }: Act): Deed {
  const actor = { kind: 'scim' as const, id: tokenId };
  return { act: name, actor, requestId, ...(address !== undefined && { address }) };
}

/** Null: no resource can have this id. */
export function idFromInput(id: string): number | null {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
}

/** Refuses a change of a document that has changed meanwhile. */
export function requireVersion(versions: readonly string[], resource: Resource): void {
  if (versions.length === 0 || versions.includes('*')) return;
  const present = resource.version.replace(/^W\//, '');
  if (versions.some((version) => version.replace(/^W\//, '') === present)) return;
  throw scimError(412, null, 'The resource has changed since that version');
}
