import type { Transaction } from '@parley/shared/db';
import type {
  CreateScimResourceRequest,
  GetScimResourceRequest,
  ListScimResourcesRequest,
  RemoveScimResourceRequest,
  RemoveScimResourceResponse,
  ReplaceScimResourceRequest,
  ScimAccess,
  ScimResource,
  ScimResources,
  ScimSelection,
} from '@parley/shared/proto';
import type { Call } from '@parley/shared/rpc';
import type { Context } from '../context';
import { type Document, documentFromInput, type Kind } from './attributes';
import { conditionOf } from './filter.sql';
import { groups } from './groups';
import type { Act, Resource, Resources } from './resource';
import { scimError } from './scim-error';
import { type Provider, requireProvider } from './tokens';
import { users } from './users';

const KINDS: Readonly<Record<Kind, Resources>> = { User: users, Group: groups };
const MAX_COUNT = 200;

interface Asked {
  access: ScimAccess | null;
  kind: string;
}

function kindFromInput(kind: string): Kind {
  if (kind !== 'User' && kind !== 'Group') throw scimError(404, null, 'There is no such kind of resources');
  return kind;
}

/** Runs one request of a provider in a transaction; its name in the audit log is that of its method, with the kind. */
function byProvider<Result>(
  ctx: Context,
  call: Call,
  { access, kind: asked }: Asked,
  verb: string,
  work: (tx: Transaction, act: Act, resources: Resources, kind: Kind) => Promise<Result>,
): Promise<Result> {
  const kind = kindFromInput(asked);
  return ctx.db.transaction(async (tx) => {
    const provider = await requireProvider(tx, ctx, access);
    return work(tx, actOf(provider, call, verb, kind), KINDS[kind], kind);
  });
}

export function actOf(provider: Provider, call: Call, verb: string, kind: Kind): Act {
  const { requestId, clientAddress: address } = call;
  return { ...provider, name: `${verb}-scim-${kind.toLowerCase()}`, requestId, address };
}

/** Runs a request that only reads, without a transaction: two statements less, of which providers send one for each user. */
async function readByProvider<Result>(
  ctx: Context,
  { access, kind: asked }: Asked,
  read: (realmId: number, resources: Resources, kind: Kind) => Promise<Result>,
): Promise<Result> {
  const kind = kindFromInput(asked);
  const { realmId } = await requireProvider(ctx.db, ctx, access);
  return read(realmId, KINDS[kind], kind);
}

/** Makes a resource, or brings back one that the provider deleted. See joinCreates(). */
export function createAlone(
  ctx: Context,
  { call, request }: { call: Call; request: CreateScimResourceRequest },
): Promise<ScimResource> {
  return byProvider(ctx, call, request, 'create', async (tx, act, resources) =>
    toMessage(await resources.create(ctx, tx, act, documentFromInput(request.document)), ALL),
  );
}

export function getScimResource(ctx: Context, _call: Call, request: GetScimResourceRequest): Promise<ScimResource> {
  const isSelected = selectionOf(request.selection);
  return readByProvider(ctx, request, async (realmId, resources) =>
    toMessage(await resources.get(ctx.db, realmId, request.id, isSelected), isSelected),
  );
}

/** A page of the resources that match a filter. */
export function listScimResources(
  ctx: Context,
  _call: Call,
  request: ListScimResourcesRequest,
): Promise<ScimResources> {
  const { filter, startIndex, count, selection } = request;
  const isSelected = selectionOf(selection);
  return readByProvider(ctx, request, async (realmId, resources, kind) => {
    const page = {
      offset: boundedOf(startIndex - 1, Number.MAX_SAFE_INTEGER),
      count: boundedOf(count, MAX_COUNT),
      isSelected,
    };
    const found = await resources.list(ctx.db, realmId, conditionOf(kind, filter), page);
    return { total: found.total, resources: found.resources.map((each) => toMessage(each, isSelected)) };
  });
}

function boundedOf(value: number, most: number): number {
  return Math.max(0, Math.min(Math.trunc(value) || 0, most));
}

export function replaceScimResource(
  ctx: Context,
  call: Call,
  request: ReplaceScimResourceRequest,
): Promise<ScimResource> {
  const { id, versions, selection } = request;
  return byProvider(ctx, call, request, 'replace', async (tx, act, resources) => {
    const document = documentFromInput(request.document);
    return toMessage(await resources.replace(ctx, tx, act, { id, document, versions }), selectionOf(selection));
  });
}

/** Its answer may have no document. */
export function patchScimResource(
  ctx: Context,
  call: Call,
  request: ReplaceScimResourceRequest,
): Promise<ScimResource> {
  const { id, versions, selection } = request;
  const isSelected = selectionOf(selection);
  return byProvider(ctx, call, request, 'patch', async (tx, act, resources) => {
    const document = documentFromInput(request.document);
    const resource = await resources.patch(ctx, tx, act, { id, document, versions });
    const isAsked = selection !== null && selection.attributes.length > 0;
    if (resource !== null) return toMessage(resource, isSelected);
    return isAsked ? toMessage(await resources.get(tx, act.realmId, id, isSelected), isSelected) : NO_DOCUMENT;
  });
}

const NO_DOCUMENT: ScimResource = { id: '', version: '', document: '' };

/** Deactivates the account or group; the provider does not see it any more. */
export function removeScimResource(
  ctx: Context,
  call: Call,
  request: RemoveScimResourceRequest,
): Promise<RemoveScimResourceResponse> {
  const { id, versions } = request;
  return byProvider(ctx, call, request, 'remove', async (tx, act, resources) => {
    await resources.remove(ctx, tx, act, { id, versions });
    return {};
  });
}

type IsSelected = (name: string) => boolean;

export const ALL: IsSelected = () => true;
const ALWAYS = new Set(['schemas', 'id']);

/** Which attributes are answered; a part stands for its whole attribute. */
function selectionOf(selection: ScimSelection | null): IsSelected {
  const wordsOf = (names: readonly string[] = []) => new Set(names.map((name) => nameOf(name)).filter(Boolean));
  const [wanted, excluded] = [wordsOf(selection?.attributes), wordsOf(selection?.excluded)];
  if (wanted.size === 0 && excluded.size === 0) return ALL;
  return (name) =>
    ALWAYS.has(name) || (wanted.size > 0 ? wanted.has(name.toLowerCase()) : !excluded.has(name.toLowerCase()));
}

function nameOf(path: string): string {
  return path
    .trim()
    .replace(/^urn:.*:/i, '')
    .replace(/\..*$/s, '')
    .toLowerCase();
}

export function toMessage({ document, version }: Resource, isSelected: IsSelected): ScimResource {
  const selected: Document = Object.fromEntries(Object.entries(document).filter(([name]) => isSelected(name)));
  return { id: String(document['id']), version, document: JSON.stringify(selected) };
}
