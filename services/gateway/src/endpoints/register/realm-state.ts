import type { ListPresencesRequest, ListVersions, RegisterState } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { availableMethods, botDomain, isGuest, isVisitor, realmUrl } from '@parley/shared/values';
import type { Context } from '../../context';
import type { UserRequest } from '../../http/endpoint';
import type { SubscribersShown, UserListView } from '../../shared-state/shared-state';
import { loadFirstMessages } from '../channels';
import type { SharedParts } from './bundle';
import { channelsOf } from './channel-bundles';
import { publicPresenceState, wantedPresences } from './presence-state';
import { realmBundles } from './realm-bundles';
import { nextQuestion, type RegisteringCall, type RegisterParameters } from './register-request';

/** The parts of a request that registering needs. */
export type Registering = Pick<UserRequest, 'role' | 'isBot' | 'subdomain' | 'clientName' | 'apiKeyId'> & {
  call: RegisteringCall;
};

interface RealmParts {
  /** The requested parts of the realm's state. */
  parts: object[];
  /** The snapshot from which all of them were read. */
  snapshot: string;
}

/** The requested parts of the realm's state, presences included. */
export async function gatherRealmParts(
  ctx: Context,
  request: Registering,
  values: RegisterParameters,
  { capabilities, isWanted }: { capabilities: string[]; isWanted: (type: string) => boolean },
): Promise<RealmParts> {
  const bundles = realmBundles.filter(({ type }) => isWanted(type));
  const presenceView = { isSlim: isSlim(capabilities), historyLimitDays: values.presence_history_limit_days };
  const presences = isVisitor(request.call) ? null : wantedPresences(isWanted, presenceView);
  if (bundles.length === 0 && !presences) return { parts: [], ...(await snapshotFor(ctx, nextQuestion(request.call))) };
  const { include_subscribers: subscribersWanted, client_gravatar: clientGravatar = !isVisitor(request.call) } = values;
  const includesSubscribers = subscribersWanted !== 'false';
  const { state, shared } = await loadRealmState(ctx, {
    call: request.call,
    role: request.role,
    isWanted,
    clientGravatar,
    includesSubscribers,
    isPartial: subscribersWanted === 'partial',
    includesDeactivatedGroups: capabilities.includes('include_deactivated_groups'),
    ...(presences && { presences }),
  });
  const areOwnChannelsShown = shared === null && (isWanted('subscription') || isWanted('stream'));
  const shownChannels = areOwnChannelsShown ? channelsOf(state) : [];
  const view = {
    ...serverView(ctx, request.subdomain),
    clientGravatar,
    capabilities: new Set(capabilities),
    includesSubscribers,
    firstMessageOf: await loadFirstMessages(ctx, nextQuestion(request.call), shownChannels),
    shared,
  };
  const parts = bundles.map((bundle) => bundle.present(state, view));
  if (state.presences) parts.push(publicPresenceState(state.presences, presenceView));
  return { parts, snapshot: state.snapshot };
}

function serverView({ config, startedAtMs }: Context, subdomain: string) {
  return {
    origin: realmUrl(subdomain, config.EXTERNAL_HOST),
    botDomain: botDomain(subdomain, config.EXTERNAL_HOST),
    authenticationMethods: availableMethods(config),
    areWebPublicChannelsEnabled: config.WEB_PUBLIC_STREAMS_ENABLED,
    maxFileUploadMib: config.MAX_FILE_UPLOAD_SIZE_MIB,
    uploadQuotaMib: config.UPLOAD_QUOTA_MIB ?? null,
    arePhonesNotified: config.PUSH_GATEWAY_URL !== undefined,
    startedAtMs,
  };
}

function isSlim(capabilities: readonly string[]): boolean {
  return capabilities.includes('slim_presence') || capabilities.includes('simplified_presence_events');
}

/** Visitors have no queue. */
async function snapshotFor({ services }: Context, call: Caller): Promise<{ snapshot: string }> {
  return isVisitor(call) ? { snapshot: '' } : services.realm.getSnapshot(call, {});
}

/** The caller and the requested parts of the realm's state. */
interface RealmQuestion {
  call: RegisteringCall;
  /** The caller's account, if the credentials were checked. */
  role: number;
  isWanted: (type: string) => boolean;
  clientGravatar: boolean;
  includesSubscribers: boolean;
  /** A part of the subscribers suffices for large channels. */
  isPartial: boolean;
  includesDeactivatedGroups: boolean;
  /** Absent: presence is not loaded. */
  presences?: ListPresencesRequest | undefined;
}

interface RealmState {
  state: RegisterState;
  shared: SharedParts | null;
}

/** Maximum number of reloads of lists that changed before the caller's own state was read. */
const ATTEMPTS = 3;

/**
 * Loads all parts as of the moment of the state's snapshot: lists have the versions of that moment. Guests with restricted
 * visibility get a separate state; other callers share cached lists. Visitors share theirs.
 */
async function loadRealmState(ctx: Context, question: RealmQuestion): Promise<RealmState> {
  if (isVisitor(question.call)) return (await loadSharedState(ctx, question)).found;
  if (isGuest(question.role)) return loadWholeState(ctx, question);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { found, isOfOneMoment } = await loadSharedState(ctx, question);
    // The caller's role has changed: the lists were loaded for the old one.
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
  // Read last: a channel that was hidden from the caller meanwhile is omitted.
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

/** Whether the loaded lists are of the moment of the `current` versions. */
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
