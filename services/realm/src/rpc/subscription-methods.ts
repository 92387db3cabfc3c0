import { byCaller, type Implementation } from '@parley/shared/rpc';
import { listChannelKinds } from '../channel-access/get-channel';
import { listOutsideReaders } from '../channel-access/list-outside-readers';
import type { Context } from '../context';
import {
  changeOwnSubscriptions,
  getSubscribers,
  listSubscriptions,
  subscribe,
  unsubscribe,
} from '../joining/subscribe';
import { updateSubscriptionProperties } from '../subscriptions/update-subscription-properties';

/** Subscriptions, and the audiences of events about messages. */
export function subscriptionMethods(ctx: Context) {
  return {
    subscribe: byCaller((caller, request) => subscribe(ctx, caller, request)),
    unsubscribe: byCaller((caller, request) => unsubscribe(ctx, caller, request)),
    changeOwnSubscriptions: byCaller((caller, request) => changeOwnSubscriptions(ctx, caller, request)),
    updateSubscriptionProperties: byCaller((caller, request) => updateSubscriptionProperties(ctx, caller, request)),
    listSubscriptions: byCaller((caller, request) => listSubscriptions(ctx, caller, request)),
    getSubscribers: (_call, request) => getSubscribers(ctx, request),
    listChannelKinds: (_call, request) => listChannelKinds(ctx, request),
    listOutsideReaders: (_call, request) => listOutsideReaders(ctx, request),
  } satisfies Partial<Implementation<'realm'>>;
}
