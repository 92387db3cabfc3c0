import type { Implementation } from '@parley/shared/rpc';
import type { Context } from './context';
import { channelReader } from './list-changes/list-versions';
import { accountMethods } from './rpc/account-methods';
import { botMethods } from './rpc/bot-methods';
import { channelMethods } from './rpc/channel-methods';
import { dataExportMethods } from './rpc/data-export-methods';
import { factMethods } from './rpc/fact-methods';
import { groupMethods } from './rpc/group-methods';
import { ldapMethods } from './rpc/ldap-methods';
import { oidcMethods } from './rpc/oidc-methods';
import { operatorMethods } from './rpc/operator-methods';
import { organizationListMethods } from './rpc/organization-list-methods';
import { organizationMethods } from './rpc/organization-methods';
import { personalMethods } from './rpc/personal-methods';
import { registerMethods } from './rpc/register-methods';
import { scimMethods } from './rpc/scim-methods';
import { subscriptionMethods } from './rpc/subscription-methods';
import { userMethods } from './rpc/user-methods';

/** Every method of proto/realm.proto and its action. */
export function implementation(ctx: Context): Implementation<'realm'> {
  const channelsOf = channelReader(ctx);
  return {
    ...accountMethods(ctx),
    ...userMethods(ctx),
    ...personalMethods(ctx),
    ...botMethods(ctx),
    ...channelMethods(ctx, channelsOf),
    ...subscriptionMethods(ctx),
    ...groupMethods(ctx),
    ...organizationMethods(ctx),
    ...organizationListMethods(ctx),
    ...factMethods(ctx),
    ...registerMethods(ctx, channelsOf),
    ...dataExportMethods(ctx),
    ...oidcMethods(ctx),
    ...scimMethods(ctx),
    ...operatorMethods(ctx),
    ...ldapMethods(ctx),
  };
}
