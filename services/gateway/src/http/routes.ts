import type { IncomingMessage, ServerResponse } from 'node:http';
import { BadRequestError } from '@parley/shared/errors';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Context } from '../context';
import { type Answer, allowedMethods, methodNotAllowed, notFound } from './answer';
import { answerRequest } from './answer-request';
import { API_PREFIX, type Endpoint, type Method } from './endpoint';
import type { RequestHandler } from './handle-request';

/** Something at a fixed address that is not part of the API's contract. */
export interface Page {
  path: string;
  answer(): Promise<Answer> | Answer;
}

/** The express application: every path, and for each the methods it has. */
export function createRoutes(ctx: Context, handlers: ReadonlyMap<Endpoint, RequestHandler>, pages: Page[]): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.enable('strict routing').enable('case sensitive routing');
  for (const { path, answer } of pages) {
    const handler: RequestHandler = (req, res) => answerRequest(ctx.log, req, res, answer);
    addPath(app, ctx, path, new Map([['GET', handler]]));
  }
  for (const [path, methods] of byPath(handlers)) addPath(app, ctx, API_PREFIX + path, methods);
  app.use((req, res) => void answerRequest(ctx.log, req, res, notFound));
  app.use(answerRoutingError(ctx));
  return app;
}

type MethodTable = Map<Method, RequestHandler>;

/** Fixed paths first: `/users/me` is not a user's id. */
function byPath(handlers: ReadonlyMap<Endpoint, RequestHandler>): [string, MethodTable][] {
  const paths = new Map<string, MethodTable>();
  for (const [{ path, method }, handler] of handlers) {
    paths.set(path, (paths.get(path) ?? new Map()).set(method, handler));
  }
  const isOpen = ([path]: [string, MethodTable]) => path.includes('{');
  return [...paths].sort((a, b) => Number(isOpen(a)) - Number(isOpen(b)));
}

function addPath(app: Express, ctx: Context, path: string, methods: MethodTable): void {
  const allowed = [...methods.keys()].sort();
  app.all(path.replace(/\{(\w+)\}/g, ':$1'), (req, res, next) => {
    const parameters = req.params as Record<string, string>;
    if (!Object.values(parameters).every(isId)) return next();
    const method = req.method === 'HEAD' ? 'GET' : req.method;
    const handler = methods.get(method as Method) ?? answerOther(ctx, method, allowed);
    void handler(req, res, parameters);
  });
}

function isId(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

function answerOther(ctx: Context, method: string, allowed: Method[]): RequestHandler {
  const answer = method === 'OPTIONS' ? allowedMethods(allowed) : methodNotAllowed(allowed);
  return (req: IncomingMessage, res: ServerResponse) => answerRequest(ctx.log, req, res, () => answer);
}

/** What express itself refuses: a path that cannot be decoded. */
function answerRoutingError(ctx: Context): ErrorRequestHandler {
  return (error, req, res, _next) =>
    void answerRequest(ctx.log, req, res, () => {
      if (error instanceof URIError) throw new BadRequestError('Malformed path');
      throw error;
    });
}
