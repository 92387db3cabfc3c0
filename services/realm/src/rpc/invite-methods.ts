import { byCaller, type Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { getInviteFacts, listAdministrators } from '../invite-facts/invite-facts';
import { findInvitedAccount, getAcceptanceFacts, openInvitedAccount } from '../invited-accounts/open-invited-account';
import { getWelcomeBot } from '../notices/system-bots';

type Methods =
  | 'getInviteFacts'
  | 'listAdministrators'
  | 'getAcceptanceFacts'
  | 'openInvitedAccount'
  | 'findInvitedAccount'
  | 'getWelcomeBot';

/** Methods for the invites service. */
export function inviteMethods(ctx: Context): Pick<Implementation<'realm'>, Methods> {
  return {
    getInviteFacts: byCaller((caller, request) => getInviteFacts(ctx, caller, request)),
    listAdministrators: (_call, request) => listAdministrators(ctx, request),
    getAcceptanceFacts: (_call, request) => getAcceptanceFacts(ctx, request),
    openInvitedAccount: (_call, request) => openInvitedAccount(ctx, request),
    getWelcomeBot: byCaller((caller) => getWelcomeBot(ctx, caller)),
    findInvitedAccount: (_call, request) => findInvitedAccount(ctx, request),
  };
}
