import { byCaller, type Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { joinCreates } from '../scim/join-creates';
import {
  getScimResource,
  listScimResources,
  patchScimResource,
  removeScimResource,
  replaceScimResource,
} from '../scim/resources';
import { setScimRole } from '../scim/roles';
import { createScimToken, listScimTokens, revokeScimToken, rotateScimToken } from '../scim/tokens';

/** Identity providers, their tokens, and the roles that their groups give. */
export function scimMethods(ctx: Context) {
  const create = joinCreates(ctx);
  return {
    createScimResource: (call, request) => create({ call, request }),
    getScimResource: (call, request) => getScimResource(ctx, call, request),
    listScimResources: (call, request) => listScimResources(ctx, call, request),
    replaceScimResource: (call, request) => replaceScimResource(ctx, call, request),
    patchScimResource: (call, request) => patchScimResource(ctx, call, request),
    removeScimResource: (call, request) => removeScimResource(ctx, call, request),
    createScimToken: byCaller((caller, request) => createScimToken(ctx, caller, request)),
    listScimTokens: byCaller((caller) => listScimTokens(ctx, caller)),
    rotateScimToken: byCaller((caller, request) => rotateScimToken(ctx, caller, request)),
    revokeScimToken: byCaller((caller, request) => revokeScimToken(ctx, caller, request)),
    setScimRole: byCaller((caller, request) => setScimRole(ctx, caller, request)),
  } satisfies Partial<Implementation<'realm'>>;
}
