import type { Caller } from '@parley/shared/rpc';
import { availableMethods, botDomain, isVisitor, realmUrl } from '@parley/shared/values';
import type { Context } from '../../context';
import type { UserRequest } from '../../http/endpoint';
import { channelsOf } from '../../wire/register-state/channel-bundles';
import { publicPresenceState, wantedPresences } from '../../wire/register-state/presence-bundle';
import { realmBundles } from '../../wire/register-state/realm-bundles';
import { loadFirstMessages } from '../channels';
import { loadRealmState } from './load-realm-state';
import type { RegisterParameters } from './register-parameters';
import { nextQuestion, type RegisteringCall } from './registering-call';

/** What is needed of a request. */
export type Registering = Pick<UserRequest, 'role' | 'isBot' | 'subdomain' | 'clientName' | 'credential'> & {
  call: RegisteringCall;
};

interface RealmParts {
  /** A part for every bundle of the realm's that is wanted. */
  parts: object[];
  /** Which all of them were read from. */
  snapshot: string;
}

/** What is wanted of the realm's state, presences included. */
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
  const view = {
    clientGravatar,
    capabilities: new Set(capabilities),
    includesSubscribers,
    firstMessageOf: await loadFirstMessages(
      ctx,
      nextQuestion(request.call),
      areOwnChannelsShown ? channelsOf(state) : [],
    ),
    shared,
    origin: realmUrl(request.subdomain, ctx.config.EXTERNAL_HOST),
    botDomain: botDomain(request.subdomain, ctx.config.EXTERNAL_HOST),
    authenticationMethods: availableMethods(ctx.config),
    areWebPublicChannelsEnabled: ctx.config.WEB_PUBLIC_STREAMS_ENABLED,
    maxFileUploadMib: ctx.config.MAX_FILE_UPLOAD_SIZE_MIB,
    uploadQuotaMib: ctx.config.UPLOAD_QUOTA_MIB ?? null,
    startedAtMs: ctx.startedAtMs,
  };
  const parts = bundles.map((bundle) => bundle.present(state, view));
  if (state.presences) parts.push(publicPresenceState(state.presences, presenceView));
  return { parts, snapshot: state.snapshot };
}

function isSlim(capabilities: readonly string[]): boolean {
  return capabilities.includes('slim_presence') || capabilities.includes('simplified_presence_events');
}

/** Visitors have no queue. */
async function snapshotFor({ services }: Context, call: Caller): Promise<{ snapshot: string }> {
  return isVisitor(call) ? { snapshot: '' } : services.realm.getSnapshot(call, {});
}
