import type { ScimAccess } from '@parley/shared/proto';
import type { Context } from '../context';
import type { Answer } from '../http/answer';
import type { Exchange } from '../http/exchange';
import { listAnswer, located, locationOf, NO_CONTENT, scimAnswer } from './scim-answer';
import { accessOf, documentOf, queryOf, versionsOf } from './scim-request';
import { type Search, searchFromDocument, searchOf, selectionOf } from './search';

interface Asked {
  kind: string;
  id: string;
  root: string;
}

/** GET of a list: those that match a filter. */
export async function list(ctx: Context, exchange: Exchange, asked: Asked): Promise<Answer> {
  const access = accessOf(ctx, exchange);
  return answerList(ctx, exchange, asked, { access, ...searchOf(queryOf(exchange)) });
}

/** POST to `.search`: the same, asked for in the body, for what addresses must not show. */
export async function search(ctx: Context, exchange: Exchange, asked: Asked): Promise<Answer> {
  const access = accessOf(ctx, exchange);
  return answerList(ctx, exchange, asked, { access, ...searchFromDocument(await documentOf(exchange)) });
}

async function answerList(
  ctx: Context,
  exchange: Exchange,
  { kind, root }: Asked,
  search: Search & { access: ScimAccess },
): Promise<Answer> {
  const { total, resources } = await ctx.services.realm.listScimResources(exchange.call, { kind, ...search });
  return listAnswer(
    resources.map((resource) => located(kind, resource, root)),
    total,
    search.startIndex,
  );
}

/** GET of one resource; without a body when the client knows its version. */
export async function get(ctx: Context, exchange: Exchange, { kind, id, root }: Asked): Promise<Answer> {
  const request = { access: accessOf(ctx, exchange), kind, id, selection: selectionOf(queryOf(exchange)) };
  const resource = await ctx.services.realm.getScimResource(exchange.call, request);
  const headers = { ETag: resource.version };
  const known = versionsOf(exchange, 'if-none-match');
  if (known.includes(resource.version) || known.includes('*')) return { status: 304, body: '', headers };
  return scimAnswer(200, located(kind, resource, root), headers);
}

/** POST to a list: a new resource. */
export async function create(ctx: Context, exchange: Exchange, { kind, root }: Asked): Promise<Answer> {
  const access = accessOf(ctx, exchange);
  const document = await documentOf(exchange);
  const resource = await ctx.services.realm.createScimResource(exchange.call, { access, kind, document });
  const headers = { ETag: resource.version, Location: locationOf(kind, resource.id, root) };
  return scimAnswer(201, located(kind, resource, root), headers);
}

/** PUT: the resource becomes what the request says. */
export async function replace(ctx: Context, exchange: Exchange, asked: Asked): Promise<Answer> {
  const request = await changeOf(ctx, exchange, asked);
  const resource = await ctx.services.realm.replaceScimResource(exchange.call, request);
  return scimAnswer(200, located(asked.kind, resource, asked.root), { ETag: resource.version });
}

/** PATCH: some attributes change. */
export async function patch(ctx: Context, exchange: Exchange, asked: Asked): Promise<Answer> {
  const request = await changeOf(ctx, exchange, asked);
  const resource = await ctx.services.realm.patchScimResource(exchange.call, request);
  if (resource.document === '') return NO_CONTENT;
  return scimAnswer(200, located(asked.kind, resource, asked.root), { ETag: resource.version });
}

async function changeOf(ctx: Context, exchange: Exchange, { kind, id }: Asked) {
  const access = accessOf(ctx, exchange);
  const [selection, versions] = [selectionOf(queryOf(exchange)), versionsOf(exchange, 'if-match')];
  return { access, kind, id, document: await documentOf(exchange), selection, versions };
}

/** DELETE: the account or group is deactivated, and unknown here from now on. */
export async function remove(ctx: Context, exchange: Exchange, { kind, id }: Asked): Promise<Answer> {
  const request = { access: accessOf(ctx, exchange), kind, id, versions: versionsOf(exchange, 'if-match') };
  await ctx.services.realm.removeScimResource(exchange.call, request);
  return NO_CONTENT;
}
