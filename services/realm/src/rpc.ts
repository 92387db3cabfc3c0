import { byCaller, type Implementation } from '@parley/shared/rpc';
import { authenticate } from './api-keys/authenticate';
import type { Context } from './context';
import { getReadFacts } from './read-facts/get-read-facts';
import { createRealm } from './realms/create-realm';
import { getRealm } from './realms/get-realm';
import { getRegisterState } from './register/get-register-state';
import { getSendFacts } from './send-facts/get-send-facts';
import { getSubscribers } from './subscriptions/get-subscribers';
import { subscribe } from './subscriptions/subscribe';
import { createUser } from './users/create-user';
import { getOwnUser } from './users/get-own-user';
import { getUsers } from './users/get-users';

/** Every method of proto/realm.proto and its action. */
export function implementation(ctx: Context): Implementation<'realm'> {
  return {
    authenticate: (_call, request) => authenticate(ctx, request),
    getRealm: (_call, request) => getRealm(ctx, request),
    getOwnUser: byCaller((caller) => getOwnUser(ctx, caller)),
    getUsers: byCaller((caller, request) => getUsers(ctx, caller, request)),
    getSendFacts: (_call, request) => getSendFacts(ctx, request),
    getReadFacts: byCaller((caller) => getReadFacts(ctx, caller)),
    getSubscribers: (_call, request) => getSubscribers(ctx, request),
    subscribe: byCaller((caller, request) => subscribe(ctx, caller, request)),
    getRegisterState: byCaller((caller) => getRegisterState(ctx, caller)),
    createRealm: (_call, request) => createRealm(ctx, request),
    createUser: (_call, request) => createUser(ctx, request),
  };
}
