import type { IncomingMessage, ServerResponse } from 'node:http';
import { UnauthorizedError } from '@parley/shared/errors';
import type { CallCredential } from '@parley/shared/rpc';
import type { Context } from '../context';
import { type Answer, redirect, success, successWith } from './answer';
import { answerRequest } from './answer-request';
import { isBranded } from './brands';
import { checkedHandler } from './check-contract';
import { clientNameOf } from './client-name';
import { parameterDecoder, UNIVERSAL_NAMES } from './decode-parameters';
import { Deferred } from './deferred';
import { API_PREFIX, type Endpoint, PreparedResult, Redirect, type UserRequest } from './endpoint';
import type { Exchange } from './exchange';
import { identify, recallCaller } from './identify';
import { type Form, readForm, readQuery } from './read-form';
import { RouteDurations } from './route-durations';
import { hasCredential } from './sessions';
import { visit } from './visit';

export type PathParameters = Readonly<Record<string, string>>;
export type RequestHandler = (req: IncomingMessage, res: ServerResponse, path: PathParameters) => Promise<void>;

/** An endpoint with the data shared by its requests. */
interface Route {
  ctx: Context;
  endpoint: Endpoint;
  decode: ReturnType<typeof parameterDecoder>;
  handler: Endpoint['handler'];
  hasBrandedFields: boolean;
  durations: RouteDurations;
  identifiesFirst: boolean;
}

/**
 * Runs an endpoint for bare HTTP requests: the only implementation, used by express and the hot paths.
 * First the credentials are checked or found in the cache, then the parameters are decoded, then the handler runs.
 */
export function handleRequest(ctx: Context, endpoint: Endpoint): RequestHandler {
  const { config, log } = ctx;
  const route: Route = {
    ctx,
    endpoint,
    decode: parameterDecoder(endpoint.parameters, config.API_BRANDS),
    handler: config.VALIDATE_RESULTS ? checkedHandler(endpoint) : endpoint.handler,
    hasBrandedFields: isBranded(endpoint.result),
    durations: new RouteDurations(endpoint.method, API_PREFIX + endpoint.path),
    identifiesFirst: Boolean(endpoint.identifiesFirst || endpoint.maxUploadBytes || endpoint.isFileStreamed),
  };
  return (req, res, path) => answerRequest(log, req, res, (exchange) => answer(route, exchange, path));
}

async function answer(route: Route, exchange: Exchange, path: PathParameters): Promise<Answer | Deferred<Answer>> {
  const { ctx, endpoint } = route;
  const { req } = exchange;
  exchange.durations = route.durations;
  if (endpoint.hasSecretPath) exchange.loggedPath = API_PREFIX + endpoint.path;
  const reading = endpoint.isFileStreamed ? readQuery(req) : readForm(req, endpoint.maxUploadBytes);
  // Report authentication errors before form errors.
  reading.catch(() => {});
  if (endpoint.auth === 'none') enter(ctx, exchange);
  else if (endpoint.isOpenToVisitors && !hasCredential(exchange)) await visit(ctx, exchange);
  else {
    // For the audit log, which does not record polls and reads of the hot paths.
    if (!endpoint.isHot || endpoint.method !== 'GET') ctx.rateLimits.addressOf(exchange);
    const recalled = route.identifiesFirst ? null : recallCaller(ctx, exchange, endpoint.isOpenToWebhookBots);
    if (recalled) return answerRecalled(route, exchange, path, reading, recalled);
    await identify(ctx, exchange, endpoint.isOpenToWebhookBots);
    count(route, exchange);
  }
  return answerForm(route, exchange, path, reading);
}

/** The result for a cached caller is valid if a call has confirmed the credential, or else after a check. */
async function answerRecalled(
  route: Route,
  exchange: Exchange,
  path: PathParameters,
  reading: Promise<Form>,
  credential: CallCredential,
): Promise<Answer | Deferred<Answer>> {
  const { ctx, endpoint } = route;
  const outcome = await outcomeOf(async () => {
    count(route, exchange);
    return answerForm(route, exchange, path, reading);
  });
  if (!credential.isConfirmed) {
    await identify(ctx, exchange, endpoint.isOpenToWebhookBots);
    // It is valid again, or the caller's role has changed. Nothing was done, because nothing was confirmed.
    const isStale = outcome.error instanceof UnauthorizedError || exchange.role !== credential.role;
    if (isStale) return answerForm(route, exchange, path, reading);
  }
  if (outcome.error !== undefined) throw outcome.error;
  return outcome.answer as Answer | Deferred<Answer>;
}

interface Outcome {
  answer?: Answer | Deferred<Answer>;
  error?: unknown;
}

async function outcomeOf(work: () => Promise<Answer | Deferred<Answer>>): Promise<Outcome> {
  try {
    return { answer: await work() };
  } catch (error) {
    return { error };
  }
}

function count({ ctx, endpoint }: Route, exchange: Exchange): void {
  if (!endpoint.isUncounted) ctx.rateLimits.countAccount(exchange);
}

async function answerForm(
  { ctx, endpoint, decode, handler, hasBrandedFields }: Route,
  exchange: Exchange,
  path: PathParameters,
  reading: Promise<Form>,
): Promise<Answer | Deferred<Answer>> {
  const { parameters, files } = await reading;
  exchange.clientName = clientNameOf(parameters.get('client'), exchange.header('user-agent'));
  exchange.files = files;
  const { values, ignored } = decode(parameters, path);
  const ownLimit = endpoint.ownLimitOf?.(values);
  if (ownLimit !== undefined) ctx.rateLimits.countOwn(exchange, ownLimit);
  const result = await handler(ctx, exchange as UserRequest, values);
  if (result instanceof Redirect) return redirect(result.location);
  const unknown = exchange.streamedNames.length > 0 ? joined(ignored, exchange.streamedNames) : ignored;
  const extra = unknown.length > 0 ? { ignored_parameters_unsupported: unknown } : NOTHING;
  if (result instanceof Deferred) return deferredAnswer(result, extra);
  if (result instanceof PreparedResult) return prepared(result, extra);
  const brands = hasBrandedFields ? ctx.config.API_BRANDS : undefined;
  return success(extra === NOTHING ? result : { ...result, ...extra }, brands);
}

function joined(ignored: readonly string[], streamedNames: readonly string[]): string[] {
  const unknown = streamedNames.filter((name) => !UNIVERSAL_NAMES.includes(name));
  return [...new Set([...ignored, ...unknown])].sort();
}

/** For requests without authentication. */
function enter({ rateLimits, findSubdomain }: Context, exchange: Exchange): void {
  rateLimits.countAddress(exchange);
  exchange.call = { ...exchange.call, clientAddress: rateLimits.addressOf(exchange) };
  exchange.subdomain = findSubdomain(exchange.header('host'));
}

type Extra = Readonly<Record<string, unknown>>;

const NOTHING: Extra = {};

function prepared({ name, json, rest }: PreparedResult, extra: Extra): Answer {
  return successWith(name, json, { ...rest, ...extra });
}

// NOTE: separate from the caller, because otherwise the request's whole form would be kept while the answer is pending.
function deferredAnswer(deferred: Deferred<PreparedResult>, extra: Extra): Deferred<Answer> {
  return deferred.map((result) => prepared(result, extra));
}
