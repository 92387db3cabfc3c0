import type { Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listRealmsToPurge, listRetention, purgeRealm } from '../retention/retention';

type Methods = 'listRetention' | 'listRealmsToPurge' | 'purgeRealm';

/** Retention periods, and the deletion of closed organizations. */
export function retentionMethods(ctx: Context): Pick<Implementation<'realm'>, Methods> {
  return {
    listRetention: (_call, request) => listRetention(ctx, request),
    listRealmsToPurge: () => listRealmsToPurge(ctx),
    purgeRealm: (_call, request) => purgeRealm(ctx, request),
  };
}
