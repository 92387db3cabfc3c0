import { readSnapshot } from '@parley/shared/db';
import { byCaller, type Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { type ChannelsOf, getChannelObjects, getGroupList, getSubscriberLists } from '../list-changes/list-versions';
import { getGuestState } from '../register/get-guest-state';
import { ownStateReader, registerReaders } from '../register/get-own-state';
import { getRegisterState } from '../register/get-register-state';
import { admitVisitor } from '../register/visitors';
import { getUserLists } from '../users/user-lists';

/** The state for POST /register, and its shared lists. */
export function registerMethods(ctx: Context, channelsOf: ChannelsOf) {
  const readers = registerReaders(ctx, channelsOf);
  const ownStateOf = ownStateReader(ctx, readers);
  return {
    admitVisitor: (_call, request) => admitVisitor(ctx, request),
    getRegisterState: byCaller((caller, request) => getRegisterState(ctx, caller, request)),
    getSnapshot: () => readSnapshot(ctx.db),
    getOwnState: byCaller((caller, { guest, ...request }) =>
      guest ? getGuestState(ctx, readers, caller, { ...request, guest }) : ownStateOf(caller, request),
    ),
    getUserLists: byCaller((caller, request) => getUserLists(ctx, caller, request)),
    getGroupList: byCaller((caller, request) => getGroupList(ctx, caller, request)),
    getChannelObjects: byCaller((caller, request) => getChannelObjects(channelsOf, caller, request)),
    getSubscriberLists: byCaller((caller, request) => getSubscriberLists(ctx, caller, request)),
  } satisfies Partial<Implementation<'realm'>>;
}
