import type { RegisterState } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isGuest, isVisitor } from '@parley/shared/values';
import type { Context } from '../../context';
import type { SubscribersShown, UserListView } from '../../shared-state/shared-state';
import type { SharedParts } from '../../wire/register-state/shared-parts';

/** Who asks for the realm's part of the state, and for what of it. */
export interface RealmQuestion {
  call: Caller;
  /** The caller's, when the credentials were checked. */
  role: number;
  isWanted: (type: string) => boolean;
  clientGravatar: boolean;
  includesSubscribers: boolean;
  /** Of large channels some subscribers are enough. */
  isPartial: boolean;
  includesDeactivatedGroups: boolean;
}

export interface RealmState {
  state: RegisterState;
  shared: SharedParts | null;
}

/**
 * Guests may know some people and channels only, and get a state of their own; others share what they are told alike. So do visitors,
 * among themselves.
 */
export async function loadRealmState(ctx: Context, question: RealmQuestion): Promise<RealmState> {
  if (isGuest(question.role) && !isVisitor(question.call)) return loadWholeState(ctx, question);
  const [userLists, groups, channels] = await Promise.all([
    loadUserLists(ctx, question),
    loadGroups(ctx, question),
    loadChannels(ctx, question),
  ]);
  const { state, knownChannels, ...ofChannels } = channels;
  // Who has another role by now is answered by it.
  if (state.ownUser?.role !== question.role) return loadWholeState(ctx, question);
  return { state, shared: { ...userLists, ...groups, ...ofChannels, knownChannels } };
}

async function loadWholeState(
  { services }: Context,
  { call, includesSubscribers }: RealmQuestion,
): Promise<RealmState> {
  return { state: await services.realm.getRegisterState(call, { includesSubscribers }), shared: null };
}

async function loadUserLists({ sharedState }: Context, { call, role, isWanted, clientGravatar }: RealmQuestion) {
  if (!isWanted('realm_user')) return {};
  const isForVisitors = isVisitor(call);
  const includesProfiles = !isForVisitors;
  const view: UserListView = { viewerRole: role, clientGravatar, includesProfiles, isDivided: true, isForVisitors };
  return { userLists: await sharedState.userLists(call, view) };
}

async function loadGroups(
  { sharedState }: Context,
  { call, isWanted, includesDeactivatedGroups }: RealmQuestion,
): Promise<Pick<SharedParts, 'groups'>> {
  if (!isWanted('realm_user_groups')) return {};
  return { groups: await sharedState.groupList(call, includesDeactivatedGroups) };
}

async function loadChannels({ services, sharedState }: Context, question: RealmQuestion) {
  const { call, isWanted } = question;
  const includesChannels = isWanted('stream') || isWanted('subscription');
  const channels = includesChannels ? await sharedState.channels(call, shownSubscribers(question)) : undefined;
  // Last, so that nothing of a channel is told that was hidden from the caller before.
  const { state, channels: knownChannels } = await services.realm.getOwnState(call, { includesChannels });
  return {
    state: state as RegisterState,
    knownChannels,
    ...(channels && { channels }),
  };
}

function shownSubscribers({ isWanted, includesSubscribers, isPartial }: RealmQuestion): SubscribersShown {
  if (!isWanted('subscription') || !includesSubscribers) return 'none';
  return isPartial ? 'partial' : 'all';
}
