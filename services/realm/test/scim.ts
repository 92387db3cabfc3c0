import { createHash } from 'node:crypto';
import type { ListScimResourcesRequest } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../src/context';
import { joinCreates } from '../src/scim/join-creates';
import {
  getScimResource,
  listScimResources,
  patchScimResource,
  removeScimResource,
  replaceScimResource,
} from '../src/scim/resources';
import { createScimToken } from '../src/scim/tokens';
import type { Person } from './examples';

type Body = Record<string, unknown>;

export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const SELECTION = { attributes: [], excluded: [] };

export const hashed = (token: string) => createHash('sha256').update(token).digest();

/** An identity provider with a new token of the organization. */
export async function newProvider(ctx: Context, owner: Person) {
  const { token, tokenId } = await createScimToken(ctx, owner, { name: 'Entra' });
  return { ...providerWith(ctx, owner.subdomain, token), token, tokenId };
}

/** An identity provider with that token. */
export function providerWith(ctx: Context, subdomain: string, token: string) {
  const access = { subdomain, tokenHash: hashed(token) };
  const call = newCall();
  const create = joinCreates(ctx);
  const shared = { access, selection: SELECTION };
  const patchBy = async (kind: string, id: string, body: Body, versions: string[] = []) => {
    const document = JSON.stringify(body);
    return bodyOf(await patchScimResource(ctx, call, { ...shared, kind, id, versions, document }));
  };
  return {
    create: async (kind: string, body: Body) =>
      bodyOf(await create({ call, request: { access, kind, document: JSON.stringify(body) } })),
    get: async (kind: string, id: string, excluded: string[] = []) =>
      bodyOf(await getScimResource(ctx, call, { access, kind, id, selection: { attributes: [], excluded } })),
    version: async (kind: string, id: string) => (await getScimResource(ctx, call, { ...shared, kind, id })).version,
    list: async (kind: string, asked: Partial<ListScimResourcesRequest> = {}) => {
      const request = { ...shared, kind, startIndex: 1, count: 100, ...asked };
      const { total, resources } = await listScimResources(ctx, call, request);
      return { total, bodies: resources.map(bodyOf) };
    },
    replace: async (kind: string, id: string, body: Body, versions: string[] = []) =>
      bodyOf(await replaceScimResource(ctx, call, { ...shared, kind, id, versions, document: JSON.stringify(body) })),
    patch: (kind: string, id: string, operations: Body[], versions: string[] = []) =>
      patchBy(kind, id, { schemas: [PATCH_OP], Operations: operations }, versions),
    patchBy,
    remove: (kind: string, id: string, versions: string[] = []) =>
      removeScimResource(ctx, call, { access, kind, id, versions }),
  };
}

function bodyOf({ document }: { document: string }) {
  return (document === '' ? {} : JSON.parse(document)) as Body & { id: string };
}
