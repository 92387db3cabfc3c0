import type { ListPresencesRequest, ListVersions, RegisterState } from '@parley/shared/proto';
import { isGuest, isVisitor } from '@parley/shared/values';
import type { Context } from '../../context';
import type { SubscribersShown, UserListView } from '../../shared-state/shared-state';
import type { SharedParts } from '../../wire/register-state/shared-parts';
import { nextQuestion, type RegisteringCall } from './registering-call';

/** Who asks for the realm's part of the state, and for what of it. */
interface RealmQuestion {
  call: RegisteringCall;
  /** The caller's, when the credentials were checked. */
  role: number;
  isWanted: (type: string) => boolean;
  clientGravatar: boolean;
  includesSubscribers: boolean;
  /** Of large channels some subscribers are enough. */
  isPartial: boolean;
  includesDeactivatedGroups: boolean;
  /** Absent: who is there is not asked. */
  presences?: ListPresencesRequest | undefined;
}

interface RealmState {
  state: RegisterState;
  shared: SharedParts | null;
}

/** So often lists are asked for again that have changed before the caller's own state was read. */
const ATTEMPTS = 3;

/**
 * All of it as of the moment that the state's snapshot tells: lists are of the versions that held then. Guests may know some people and
 * channels only, and get a state of their own; others share what they are told alike. So do visitors, among themselves.
 */
export async function loadRealmState(ctx: Context, question: RealmQuestion): Promise<RealmState> {
  if (isVisitor(question.call)) return (await loadSharedState(ctx, question)).found;
  if (isGuest(question.role)) return loadWholeState(ctx, question);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { found, isOfOneMoment } = await loadSharedState(ctx, question);
    // Who has another role by now is answered by it.
    if (found.state.ownUser?.role !== question.role) break;
    if (isOfOneMoment) return found;
  }
  return loadWholeState(ctx, question);
}

async function loadSharedState(ctx: Context, question: RealmQuestion) {
  const [userLists, groups, channels] = await Promise.all([
    loadUserLists(ctx, question),
    loadGroups(ctx, question),
    loadChannels(ctx, question),
  ]);
  const { call, presences } = question;
  // Last, so that nothing of a channel is told that was hidden from the caller before.
  const own = await ctx.services.realm.getOwnState(nextQuestion(call), {
    includesChannels: channels !== undefined,
    isPartial: question.isPartial,
    ...(presences && { presences }),
  });
  const shared = {
    ...(userLists && { userLists }),
    ...(groups && { groups: groups.groups }),
    ...(channels && { channels }),
    knownChannels: own.channels,
  };
  const versions = { users: userLists?.version, groups: groups?.version, ...channels?.versions };
  return { found: { state: own.state as RegisterState, shared }, isOfOneMoment: areCurrent(versions, own.versions) };
}

/** Whether the lists that were loaded are those of the moment at which the versions were `current`. */
function areCurrent(loaded: Partial<Record<keyof ListVersions, string | undefined>>, current: ListVersions | null) {
  const names = Object.keys(loaded) as (keyof ListVersions)[];
  return names.every((name) => loaded[name] === undefined || loaded[name] === current?.[name]);
}

async function loadWholeState(
  { services }: Context,
  { call, includesSubscribers, presences }: RealmQuestion,
): Promise<RealmState> {
  const wanted = { includesSubscribers, ...(presences && { presences }) };
  const state = await services.realm.getRegisterState(nextQuestion(call), wanted);
  return { state, shared: null };
}

async function loadUserLists({ sharedState }: Context, { call, role, isWanted, clientGravatar }: RealmQuestion) {
  if (!isWanted('realm_user')) return undefined;
  const isForVisitors = isVisitor(call);
  const includesProfiles = !isForVisitors;
  const view: UserListView = { viewerRole: role, clientGravatar, includesProfiles, isDivided: true, isForVisitors };
  return sharedState.userLists(call, view);
}

async function loadGroups({ sharedState }: Context, { call, isWanted, includesDeactivatedGroups }: RealmQuestion) {
  return isWanted('realm_user_groups') ? sharedState.groupList(call, includesDeactivatedGroups) : undefined;
}

async function loadChannels({ sharedState }: Context, question: RealmQuestion) {
  const isShown = question.isWanted('stream') || question.isWanted('subscription');
  return isShown ? sharedState.channels(question.call, shownSubscribers(question)) : undefined;
}

function shownSubscribers({ isWanted, includesSubscribers, isPartial }: RealmQuestion): SubscribersShown {
  if (!isWanted('subscription') || !includesSubscribers) return 'none';
  return isPartial ? 'partial' : 'all';
}
