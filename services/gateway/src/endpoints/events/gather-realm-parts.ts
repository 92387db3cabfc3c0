import { availableMethods, botDomain, isVisitor, realmUrl } from '@parley/shared/values';
import type { Context } from '../../context';
import type { UserRequest } from '../../http/endpoint';
import { channelsOf } from '../../wire/register-state/channel-bundles';
import { realmBundles } from '../../wire/register-state/realm-bundles';
import { loadFirstMessages } from '../channels/load-first-messages';
import { loadRealmState } from './load-realm-state';
import type { RegisterParameters } from './register-parameters';

/** What is needed of a request. */
export type Registering = Pick<UserRequest, 'call' | 'role' | 'isBot' | 'subdomain' | 'clientName' | 'credential'>;

/** A part for every bundle of the realm's that is wanted. */
export async function gatherRealmParts(
  ctx: Context,
  request: Registering,
  values: RegisterParameters,
  { capabilities, isWanted }: { capabilities: string[]; isWanted: (type: string) => boolean },
) {
  const bundles = realmBundles.filter(({ type }) => isWanted(type));
  if (bundles.length === 0) return [];
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
  });
  const areOwnChannelsShown = shared === null && (isWanted('subscription') || isWanted('stream'));
  const view = {
    clientGravatar,
    capabilities: new Set(capabilities),
    includesSubscribers,
    firstMessageOf: await loadFirstMessages(ctx, request.call, areOwnChannelsShown ? channelsOf(state) : []),
    shared,
    origin: realmUrl(request.subdomain, ctx.config.EXTERNAL_HOST),
    botDomain: botDomain(request.subdomain, ctx.config.EXTERNAL_HOST),
    authenticationMethods: availableMethods(ctx.config),
    areWebPublicChannelsEnabled: ctx.config.WEB_PUBLIC_STREAMS_ENABLED,
    maxFileUploadMib: ctx.config.MAX_FILE_UPLOAD_SIZE_MIB,
    uploadQuotaMib: ctx.config.UPLOAD_QUOTA_MIB ?? null,
    startedAtMs: ctx.startedAtMs,
  };
  return bundles.map((bundle) => bundle.present(state, view));
}
