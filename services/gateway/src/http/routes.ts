import type { IncomingMessage, ServerResponse } from 'node:http';
import { BadRequestError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Context } from '../context';
import type { OwnLimit } from '../rate-limits/limits';
import { type Answer, allowedMethods, MethodNotAllowedError, PathNotFoundError } from './answer';
import { answerRequest } from './answer-request';
import { API_PREFIX, type Endpoint, type ParameterTable } from './endpoint';
import type { Exchange } from './exchange';
import type { PathParameters, RequestHandler } from './handle-request';
import { PathTable } from './path-table';
import { RouteDurations } from './route-durations';

/** A page or file at a fixed path that is not part of the API's contract. */
export interface Page {
  /** `{name}` stands for a segment of the path. */
  path: string;
  /** Patterns of its parameters; other paths do not exist. */
  patterns?: Readonly<Record<string, RegExp>>;
  /** Absent: GET, and HEAD with it. */
  methods?: readonly string[];
  /** The path contains a key: it is not logged, and the page limits attempts, so that keys cannot be guessed. */
  isSecret?: boolean;
  /** A frequent probe: not logged. */
  isProbe?: boolean;
  /** Its errors are pages for everybody; other paths' only for browsers. */
  isForPeople?: boolean;
  /** Its additional limit, applied once the caller is known. */
  ownLimit?: OwnLimit;
  /** Computes slow parts before the first request. */
  prepare?(): unknown;
  answer(path: PathParameters, exchange: Exchange): Promise<Answer> | Answer;
}

/** The express application: every path, and for each the methods it has. */
export function createRoutes(ctx: Context, handlers: ReadonlyMap<Endpoint, RequestHandler>, pages: Page[]): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.enable('strict routing').enable('case sensitive routing');
  for (const page of pages) {
    const { path, patterns = {}, methods = ['GET'] } = page;
    const handler = handlePage(ctx, page);
    addPath(app, ctx, {
      path,
      methods: new Map(methods.map((method) => [method, handler])),
      patterns: new Map(Object.entries(patterns)),
      rests: new Set(),
    });
  }
  for (const { path, ...rest } of byPath(handlers)) addPath(app, ctx, { path: API_PREFIX + path, ...rest });
  app.use(
    (req, res) =>
      void answerRequest(ctx.log, req, res, () => {
        throw new PathNotFoundError();
      }),
  );
  app.use(answerRoutingError(ctx));
  return app;
}

function handlePage(ctx: Context, page: Page): RequestHandler {
  const { path, isSecret, isProbe = false, isForPeople = false, ownLimit, answer } = page;
  const durations = new RouteDurations('any', path);
  return (req, res, parts) =>
    answerRequest(ctx.log, req, res, (exchange) => {
      exchange.durations = durations;
      if (isSecret) exchange.loggedPath = path;
      exchange.isProbe = isProbe;
      exchange.isForPeople = isForPeople;
      exchange.ownLimit = ownLimit;
      // For the audit log: some pages do the same as the API.
      exchange.call = { ...exchange.call, clientAddress: ctx.rateLimits.addressOf(exchange) };
      return answer(parts, exchange);
    });
}

/** The API's paths, for requests that bypass express, which tries one path after another. */
export function createPathTable(
  ctx: Context,
  handlers: ReadonlyMap<Endpoint, RequestHandler>,
): PathTable<RequestHandler> {
  const table = new PathTable<RequestHandler>(API_PREFIX.split('/').length);
  for (const { path, methods, patterns, rests } of byPath(handlers)) {
    const whole = API_PREFIX + path;
    if (rests.size === 0) table.add({ path: whole, patterns }, byMethod(ctx, whole, methods));
  }
  return table;
}

type MethodTable = Map<string, RequestHandler>;

interface ApiPath {
  path: string;
  methods: MethodTable;
  /** The patterns of its parameters. */
  patterns: Map<string, RegExp>;
  /** Path parameters that may span several segments. */
  rests: ReadonlySet<string>;
}

/** Fixed paths first, texts last: `/users/me` is not a user's id, and `/users/5` not a user's name. */
function byPath(handlers: ReadonlyMap<Endpoint, RequestHandler>): ApiPath[] {
  const paths = new Map<string, ApiPath>();
  for (const [{ path, method, parameters }, handler] of handlers) {
    const found = paths.get(path) ?? {
      path,
      methods: new Map(),
      patterns: patternsOf(parameters),
      rests: restsOf(parameters),
    };
    found.methods.set(method, handler);
    paths.set(path, found);
  }
  return [...paths.values()].sort((a, b) => openness(a) - openness(b));
}

function patternsOf(parameters: ParameterTable): Map<string, RegExp> {
  return new Map(Object.entries(parameters).flatMap(([name, { pattern }]) => (pattern ? [[name, pattern]] : [])));
}

function restsOf(parameters: ParameterTable): Set<string> {
  return new Set(Object.entries(parameters).flatMap(([name, { isRest }]) => (isRest ? [name] : [])));
}

function openness({ patterns }: ApiPath): number {
  if (patterns.size === 0) return 0;
  return [...patterns.values()].some((pattern) => pattern.test('a')) ? 2 : 1;
}

function addPath(app: Express, ctx: Context, { path, methods, patterns, rests }: ApiPath): void {
  const answer = byMethod(ctx, path, methods);
  const template = path.replace(/\{(\w+)\}/g, (_found, name) => (rests.has(name) ? '*' : ':') + name);
  // Not app.all(), which creates a layer for each of HTTP's 34 methods: 2 MB for all paths.
  app.route(template).all((req, res, next) => {
    const parts = Object.entries(req.params).map(([name, part]) => [name, [part].flat().join('/')]);
    const parameters = Object.fromEntries(parts) as Record<string, string>;
    if (![...patterns].every(([name, pattern]) => pattern.test(parameters[name] ?? ''))) return next();
    void answer(req, res, parameters);
  });
}

function byMethod(ctx: Context, path: string, methods: MethodTable): RequestHandler {
  const allowed = [...methods.keys()].sort();
  return (req, res, parameters) => {
    const method = req.method === 'HEAD' && !methods.has('HEAD') ? 'GET' : (req.method as string);
    const handler = methods.get(method) ?? answerOther(ctx, path, method, allowed);
    return handler(req, res, parameters);
  };
}

function answerOther(ctx: Context, path: string, method: string, allowed: string[]): RequestHandler {
  return (req: IncomingMessage, res: ServerResponse) =>
    answerRequest(ctx.log, req, res, (exchange) => {
      // It may contain a key for any method.
      exchange.loggedPath = path;
      if (method !== 'OPTIONS') throw new MethodNotAllowedError(allowed);
      return allowedMethods(allowed);
    });
}

/** Errors of express itself: a path that cannot be decoded. */
function answerRoutingError(ctx: Context): ErrorRequestHandler {
  return (error, req, res, _next) =>
    void answerRequest(ctx.log, req, res, () => {
      if (error instanceof URIError) throw new BadRequestError(REFUSAL.requests.path);
      throw error;
    });
}
