import { byCaller, type Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listDigestRealms, listDigestRecipients, listNewChannels } from '../facts/digests';
import { getAttentions } from '../facts/get-attentions';
import { getEditFacts } from '../facts/get-edit-facts';
import { getMarkFacts } from '../facts/get-mark-facts';
import { getNotificationFacts } from '../facts/get-notification-facts';
import { pushFactsReader } from '../facts/get-push-facts';
import { getChannelsOfReaders, readFactsReader } from '../facts/get-read-facts';
import { getSendFacts } from '../facts/get-send-facts';
import { getInviteFacts, listAdministrators } from '../invite-facts/invite-facts';
import { findInvitedAccount, getAcceptanceFacts, openInvitedAccount } from '../invited-accounts/open-invited-account';
import { holdLeases } from '../leases/hold-leases';
import { getWelcomeBot } from '../notices/system-bots';

/** Facts on which messages and invitations depend, for other services. */
export function factMethods(ctx: Context) {
  const getReadFacts = readFactsReader(ctx);
  const getPushFacts = pushFactsReader(ctx);
  return {
    getSendFacts: (_call, request) => getSendFacts(ctx, request),
    getReadFacts: byCaller(getReadFacts),
    holdLeases: (_call, request) => holdLeases(ctx, request),
    getMarkFacts: byCaller((caller, request) => getMarkFacts(ctx, caller, request)),
    getChannelsOfReaders: (_call, request) => getChannelsOfReaders(ctx, request),
    getEditFacts: byCaller((caller, request) => getEditFacts(ctx, caller, request)),
    getPushFacts: (_call, request) => getPushFacts(request),
    getAttentions: (_call, request) => getAttentions(ctx, request),
    getNotificationFacts: (_call, request) => getNotificationFacts(ctx, request),
    getInviteFacts: byCaller((caller, request) => getInviteFacts(ctx, caller, request)),
    listAdministrators: (_call, request) => listAdministrators(ctx, request),
    getAcceptanceFacts: (_call, request) => getAcceptanceFacts(ctx, request),
    openInvitedAccount: (_call, request) => openInvitedAccount(ctx, request),
    findInvitedAccount: (_call, request) => findInvitedAccount(ctx, request),
    listDigestRealms: () => listDigestRealms(ctx),
    listDigestRecipients: (_call, request) => listDigestRecipients(ctx, request),
    listNewChannels: byCaller((caller, request) => listNewChannels(ctx, caller, request)),
    getWelcomeBot: byCaller((caller) => getWelcomeBot(ctx, caller)),
  } satisfies Partial<Implementation<'realm'>>;
}
