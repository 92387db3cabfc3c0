import { PublicError, UnauthorizedError } from '@parley/shared/errors';
import type { ScimResource } from '@parley/shared/proto';
import type { Logger } from '@parley/shared/service';
import { type Answer, headersOf, InternalError } from '../http/answer';
import type { Exchange } from '../http/exchange';

const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0:';
const CONTENT_TYPE = { 'Content-Type': 'application/scim+json; charset=utf-8' };

type Document = Record<string, unknown>;

/** An answer in SCIM's media type. */
export function scimAnswer(status: number, document: Document, headers: Record<string, string> = {}): Answer {
  const body = JSON.stringify(document);
  return { status, body, headers: { ...CONTENT_TYPE, 'Content-Length': String(Buffer.byteLength(body)), ...headers } };
}

export const NO_CONTENT: Answer = { status: 204, body: '' };

/** An error in SCIM's format (RFC 7644, section 3.12). Unexpected ones are logged, and answered without details. */
export function scimFailure(thrown: unknown, exchange: Exchange, log: Logger): Answer {
  if (!(thrown instanceof PublicError)) {
    log.error({ err: thrown, requestId: exchange.call.requestId }, 'request failed');
    return scimFailure(new InternalError(), exchange, log);
  }
  const { httpStatus: status, message: detail, fields } = thrown;
  const { scimType } = fields;
  const asking =
    thrown instanceof UnauthorizedError ? { 'WWW-Authenticate': 'Bearer realm="parley"' } : headersOf(thrown);
  const error = {
    schemas: [`${MESSAGES}Error`],
    status: String(status),
    ...(scimType !== undefined && { scimType }),
    detail,
  };
  return scimAnswer(status, error, asking);
}

/** Part of a list of resources. */
export function listAnswer(resources: readonly Document[], total: number, startIndex: number): Answer {
  return scimAnswer(200, {
    schemas: [`${MESSAGES}ListResponse`],
    totalResults: total,
    ...{ startIndex, itemsPerPage: resources.length },
    ...(resources.length > 0 && { Resources: resources }),
  });
}

const ENDPOINTS: Readonly<Record<string, string>> = { User: 'Users', Group: 'Groups' };

interface Reference extends Document {
  value: string;
}

/** The resource with the addresses that it has on this server. `root` is that of the organization's SCIM. */
export function located(kind: string, { id, version, document: json }: ScimResource, root: string): Document {
  const document = JSON.parse(json) as Document;
  const { meta, members, groups } = document;
  const pointing = (references: unknown, endpoint: string) =>
    (references as Reference[]).map((each) => ({ ...each, $ref: `${root}/${endpoint}/${each.value}` }));
  return {
    ...document,
    ...(members !== undefined && { members: pointing(members, 'Users') }),
    ...(groups !== undefined && { groups: pointing(groups, 'Groups') }),
    ...(meta !== undefined && { meta: { ...(meta as Document), location: locationOf(kind, id, root), version } }),
  };
}

export function locationOf(kind: string, id: string, root: string): string {
  return `${root}/${ENDPOINTS[kind]}/${id}`;
}
