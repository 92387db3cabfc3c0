import { byCaller, type Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { getTypingAudience } from '../facts/get-typing-audience';
import { findUser, listUserChannels } from '../people/find-user';
import { getUserStatus, updateUserStatus } from '../personal/statuses';
import { getPresence, joinReports, listPresences, reportPresence } from '../presence/presence';
import { getUserProfiles, removeProfileValues, setProfileValues } from '../profiles/profile-values';
import { addUser } from '../users/add-user';
import { deactivateUser } from '../users/deactivate-user';
import { getUsers, listUsers } from '../users/list-users';
import { reactivateUser } from '../users/reactivate-user';
import { updateUser } from '../users/update-user';

/** Users, their profiles, statuses and presence. */
export function userMethods(ctx: Context) {
  const storeReport = joinReports(ctx);
  return {
    getUsers: byCaller((caller, request) => getUsers(ctx, caller, request)),
    listUsers: byCaller((caller, request) => listUsers(ctx, caller, request)),
    findUser: byCaller((caller, request) => findUser(ctx, caller, request)),
    addUser: byCaller((caller, request) => addUser(ctx, caller, request)),
    updateUser: byCaller((caller, request) => updateUser(ctx, caller, request)),
    deactivateUser: byCaller((caller, request) => deactivateUser(ctx, caller, request)),
    reactivateUser: byCaller((caller, request) => reactivateUser(ctx, caller, request)),
    listUserChannels: byCaller((caller, request) => listUserChannels(ctx, caller, request)),
    getUserProfiles: byCaller((caller, request) => getUserProfiles(ctx, caller, request)),
    setProfileValues: byCaller((caller, request) => setProfileValues(ctx, caller, request)),
    removeProfileValues: byCaller((caller, request) => removeProfileValues(ctx, caller, request)),
    getUserStatus: byCaller((caller, request) => getUserStatus(ctx, caller, request)),
    updateUserStatus: byCaller((caller, request) => updateUserStatus(ctx, caller, request)),
    reportPresence: byCaller((caller, request) => reportPresence(ctx, caller, request, storeReport)),
    listPresences: byCaller((caller, request) => listPresences(ctx, caller, request)),
    getPresence: byCaller((caller, request) => getPresence(ctx, caller, request)),
    getTypingAudience: byCaller((caller, request) => getTypingAudience(ctx, caller, request)),
  } satisfies Partial<Implementation<'realm'>>;
}
