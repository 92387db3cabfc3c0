import { UnauthorizedError } from '@parley/shared/errors';
import type { Context } from '../context';
import { type Answer, allowedMethods, MethodNotAllowedError } from '../http/answer';
import type { Exchange } from '../http/exchange';
import type { Page } from '../http/routes';
import { discover } from './discover';
import { create, get, list, patch, remove, replace, search } from './resources';
import { scimFailure } from './scim-answer';
import { rootOf, SCIM_PATH } from './scim-request';

type Handler = (ctx: Context, exchange: Exchange, asked: { kind: string; id: string; root: string }) => Promise<Answer>;

const ON_ALL: Readonly<Record<string, Handler>> = { GET: list, POST: create };
const ON_ONE: Readonly<Record<string, Handler>> = { GET: get, PUT: replace, PATCH: patch, DELETE: remove };
const ON_SEARCH: Readonly<Record<string, Handler>> = { POST: search };
const SEARCH = '.search';
const KINDS: Readonly<Record<string, string>> = { Users: 'User', Groups: 'Group' };
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** SCIM 2.0 for identity providers: its own paths, media type and errors. */
export function scimPages(ctx: Context): Page[] {
  return [SCIM_PATH, `${SCIM_PATH}/{endpoint}`, `${SCIM_PATH}/{endpoint}/{id}`].map((path) => ({
    path,
    methods: METHODS,
    answer: ({ endpoint = '', id = '' }, exchange) =>
      answerRequest(ctx, exchange, endpoint, id).catch((error) =>
        scimFailure(counted(ctx, exchange, error), exchange, ctx.log),
      ),
  }));
}

async function answerRequest(ctx: Context, exchange: Exchange, endpoint: string, id: string): Promise<Answer> {
  exchange.subdomain = ctx.findSubdomain(exchange.header('host'));
  ctx.rateLimits.countOwn(exchange, 'provisioning');
  const root = rootOf(ctx, exchange);
  const kind = Object.hasOwn(KINDS, endpoint) ? KINDS[endpoint] : undefined;
  if (kind === undefined) return discover(exchange, { endpoint, id, root });
  const handlers = handlersOf(id);
  const method = exchange.req.method === 'HEAD' ? 'GET' : (exchange.req.method as string);
  const allowed = Object.keys(handlers);
  if (method === 'OPTIONS') return allowedMethods(allowed);
  const handler = handlers[method];
  if (handler === undefined) throw new MethodNotAllowedError(allowed);
  return handler(ctx, exchange, { kind, id, root });
}

function handlersOf(id: string): Readonly<Record<string, Handler>> {
  if (id === '') return ON_ALL;
  return id === SEARCH ? ON_SEARCH : ON_ONE;
}

/** A wrong token counts for the client's address. */
function counted({ rateLimits }: Context, exchange: Exchange, error: unknown): unknown {
  if (!(error instanceof UnauthorizedError)) return error;
  try {
    rateLimits.countRefused(exchange);
    return error;
  } catch (limited) {
    return limited;
  }
}
