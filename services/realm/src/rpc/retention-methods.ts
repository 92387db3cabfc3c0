import type { Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listRealmsToPurge } from '../retention/list-realms-to-purge';
import { listRetention } from '../retention/list-retention';
import { purgeRealm } from '../retention/purge-realm';

type Methods = 'listRetention' | 'listRealmsToPurge' | 'purgeRealm';

/** How long what is kept. */
export function retentionMethods(ctx: Context): Pick<Implementation<'realm'>, Methods> {
  return {
    listRetention: (_call, request) => listRetention(ctx, request),
    listRealmsToPurge: () => listRealmsToPurge(ctx),
    purgeRealm: (_call, request) => purgeRealm(ctx, request),
  };
}
