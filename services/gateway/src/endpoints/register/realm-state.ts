import type {
  GroupList,
  GuestView,
  ListPresencesRequest,
  ListVersions,
  OwnState,
  RegisterState,
  UserLists,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { availableMethods, botDomain, isGuest, isVisitor, realmUrl } from '@parley/shared/values';
import type { Context } from '../../context';
import type { UserRequest } from '../../http/endpoint';
import type { SubscribersShown, UserListView, VersionedChannels } from '../../shared-state/shared-state';
import { loadFirstMessages } from '../channels';
import { askPresences } from '../presence-list';
import type { SharedParts } from './bundle';
import { channelsOf } from './channel-bundles';
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
  const arePresencesWanted = isWanted('presence') && !isVisitor(request.call);
  const presences = arePresencesWanted ? askPresences(ctx, request.call, presenceView) : null;
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
    includesUnknown: !capabilities.includes('user_list_incomplete'),
    ...(presences && { presences: presences.request }),
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
  const parts: object[] = bundles.map((bundle) => bundle.present(state, view));
  if (presences && state.presences) parts.push(await presences.show(state.presences));
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
  /** Users whom a guest does not see are listed, too, as unknown users. */
  includesUnknown: boolean;
  /** Absent: presence is not loaded. */
  presences?: ListPresencesRequest | undefined;
}

interface RealmState {
  state: RegisterState;
  shared: SharedParts | null;
}

/** Maximum number of readings of the caller's own state, if lists change before they are loaded. */
const ATTEMPTS = 3;

/**
 * Loads all parts as of the moment of the state's snapshot: callers share cached lists, which have the versions of that moment. Guests who do
 * not see everybody have a list of users in their own state. Visitors share theirs.
 */
async function loadRealmState(ctx: Context, question: RealmQuestion): Promise<RealmState> {
  if (isVisitor(question.call)) return loadVisitorState(ctx, question);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const own = await loadOwnState(ctx, question);
    // The caller's role has changed: the lists would be those of the old one.
    if (own.state?.ownUser?.role !== question.role) break;
    // Nothing says whom the guest may see.
    if (isGuest(question.role) && !own.isForGuest) break;
    const lists = await loadLists(ctx, question, own);
    if (areCurrent(lists, own.versions)) return sharedStateOf(own, lists);
  }
  return loadWholeState(ctx, question);
}

/** Visitors have no queue, so the moments of lists may differ. */
async function loadVisitorState(ctx: Context, question: RealmQuestion): Promise<RealmState> {
  const lists = await loadLists(ctx, question, {});
  // Read last: a channel that was hidden from visitors meanwhile is omitted.
  return sharedStateOf(await loadOwnState(ctx, question), lists);
}

function loadOwnState({ services }: Context, question: RealmQuestion): Promise<OwnState> {
  const { call, role, isPartial, presences } = question;
  const channels = { includesChannels: areChannelsWanted(question), isPartial, isGrouped: true };
  return services.realm.getOwnState(nextQuestion(call), {
    ...channels,
    ...(presences && { presences }),
    ...(isGuest(role) && !isVisitor(call) && { guest: guestView(question) }),
  });
}

function guestView({ isWanted, clientGravatar, includesUnknown }: RealmQuestion): GuestView {
  return { includesUsers: isWanted('realm_user'), clientGravatar, includesUnknown };
}

interface Lists {
  userLists: UserLists | undefined;
  groups: GroupList | undefined;
  channels: VersionedChannels | undefined;
}

/** The requested lists; cached ones of the `current` versions are not asked for again. */
async function loadLists(
  ctx: Context,
  question: RealmQuestion,
  { versions: current = null, seenUsers }: Partial<OwnState>,
): Promise<Lists> {
  const [userLists, groups, channels] = await Promise.all([
    seenUsers ?? loadUserLists(ctx, question, current),
    loadGroups(ctx, question, current),
    loadChannels(ctx, question, current),
  ]);
  return { userLists, groups, channels };
}

function sharedStateOf(own: OwnState, { userLists, groups, channels }: Lists): RealmState {
  const shared = {
    ...(userLists && { userLists }),
    ...(groups && { groups: groups.groups }),
    ...(channels && { channels }),
    knownChannels: own.knownChannels,
    bots: own.bots,
  };
  return { state: own.state as RegisterState, shared };
}

/** Whether the loaded lists are of the moment of the `current` versions. */
function areCurrent({ userLists, groups, channels }: Lists, current: ListVersions | null): boolean {
  const loaded: Partial<Record<keyof ListVersions, string | undefined>> = {
    users: userLists?.version,
    groups: groups?.version,
    ...channels?.versions,
  };
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

async function loadUserLists({ sharedState }: Context, question: RealmQuestion, current: ListVersions | null) {
  const { call, role, isWanted, clientGravatar } = question;
  if (!isWanted('realm_user')) return undefined;
  const isForVisitors = isVisitor(call);
  const includesProfiles = !isForVisitors;
  const view: UserListView = { viewerRole: role, clientGravatar, includesProfiles, isDivided: true, isForVisitors };
  return sharedState.userLists(call, view, current);
}

async function loadGroups({ sharedState }: Context, question: RealmQuestion, current: ListVersions | null) {
  const { call, isWanted, includesDeactivatedGroups } = question;
  return isWanted('realm_user_groups') ? sharedState.groupList(call, includesDeactivatedGroups, current) : undefined;
}

async function loadChannels({ sharedState }: Context, question: RealmQuestion, current: ListVersions | null) {
  if (!areChannelsWanted(question)) return undefined;
  return sharedState.channels(question.call, shownSubscribers(question), current);
}

function areChannelsWanted({ isWanted }: RealmQuestion): boolean {
  return isWanted('stream') || isWanted('subscription');
}

function shownSubscribers({ isWanted, includesSubscribers, isPartial }: RealmQuestion): SubscribersShown {
  if (!isWanted('subscription') || !includesSubscribers) return 'none';
  return isPartial ? 'partial' : 'all';
}
