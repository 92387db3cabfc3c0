import { hash } from 'node:crypto';
import { type BatchOptions, batched } from '@parley/shared/batch';
import { BadRequestError, RealmDeactivatedError, UnauthorizedError, UserDeactivatedError } from '@parley/shared/errors';
import type { Authentication, Credential } from '@parley/shared/proto';
import type { Call, RpcClient } from '@parley/shared/rpc';
import { BOT_TYPES } from '@parley/shared/values';
import { keyOf } from './known-credentials';

/** Looks up the holder of a credential in realm. */
export type Authenticate = (question: { call: Call; credential: Credential }) => Promise<Authentication>;

/** Control characters, which no address has and PostgreSQL may reject, and invalid UTF-8. */
const UNREADABLE = /[\p{Cc}\ufffd]/u;

/**
 * Waiting polls come in bursts, when an event was delivered to many clients. The pause is shorter than the one that the events
 * service makes between two answers to a client.
 */
export const FOR_POLLS = { maxItems: 200, everyMs: 10 };

/** Batches concurrent lookups. A key that is revoked fails from the next request on. */
export function createAuthenticate(
  realm: Pick<RpcClient<'realm'>, 'authenticate'>,
  batches: Pick<BatchOptions<never>, 'maxItems' | 'everyMs'> = { maxItems: 64 },
): Authenticate {
  return batched(
    async (questions) => {
      const call = callForAll(questions.map((question) => question.call));
      const { results } = await realm.authenticate(call, {
        credentials: questions.map(({ credential }) => credential),
      });
      return results;
    },
    { ...batches, maxInFlight: 1, keyOf: ({ credential }) => keyOf(credential) },
  );
}

function callForAll(calls: Call[]): Call {
  const [first] = calls as [Call];
  if (calls.length === 1) return first;
  return {
    requestId: `${first.requestId}+${calls.length - 1}`,
    deadlineAt: Math.max(...calls.map(({ deadlineAt }) => deadlineAt)),
  };
}

/** Throws the API's authentication errors. */
export function requireLetIn(answer: Authentication, isOpenToWebhookBots: boolean): void {
  refuseUnlessOk(answer.outcome);
  if (!isLetIn(answer, isOpenToWebhookBots)) {
    throw new UnauthorizedError('This API is not available to incoming webhook bots.');
  }
}

/** Whether an endpoint admits accounts of this type. */
export function isLetIn({ botType }: Authentication, isOpenToWebhookBots: boolean): boolean {
  return isOpenToWebhookBots || botType !== BOT_TYPES.incomingWebhook;
}

/** The credential in an Authorization header, for the addressed organization. */
export function credentialFromHeader(subdomain: string, header: string | undefined): Credential {
  const { email, key } = parseAuthorization(header);
  return { subdomain, email, apiKeyHash: hash('sha256', key, 'buffer') };
}

function parseAuthorization(header: string | undefined): { email: string; key: string } {
  if (header === undefined) {
    throw new UnauthorizedError('Not logged in: API authentication or user session required');
  }
  const [scheme, credentials, ...rest] = header.trim().split(/\s+/);
  if (credentials === undefined || rest.length > 0) throw malformed();
  if (scheme?.toLowerCase() !== 'basic') {
    throw new BadRequestError('This endpoint requires HTTP basic authentication.');
  }
  const [email, key, ...more] = Buffer.from(credentials, 'base64').toString().split(':');
  if (email === undefined || key === undefined || more.length > 0 || UNREADABLE.test(email)) throw malformed();
  if (!/^[A-Za-z0-9]{32}$/.test(key)) throw new UnauthorizedError('Malformed API key');
  return { email, key };
}

function malformed(): UnauthorizedError {
  return new UnauthorizedError('Invalid authorization header for basic auth');
}

function refuseUnlessOk(outcome: string): void {
  switch (outcome) {
    case 'ok':
      return;
    case 'user_deactivated':
      throw new UserDeactivatedError();
    case 'realm_deactivated':
      throw new RealmDeactivatedError();
    case 'wrong_subdomain':
      throw new UnauthorizedError('Account is not associated with this subdomain');
    default:
      throw new UnauthorizedError('Invalid API key');
  }
}
