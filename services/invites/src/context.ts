import type { RpcClient } from '@parley/shared/rpc';
import type { BaseContext } from '@parley/shared/service';
import type { Config } from './config';

/** Everything an action may use: the only wiring. */
export interface Context extends BaseContext<Config> {
  services: {
    realm: Pick<
      RpcClient<'realm'>,
      'getInviteFacts' | 'listAdministrators' | 'getAcceptanceFacts' | 'openInvitedAccount' | 'findInvitedAccount'
    >;
  };
}
