import { createHmac, timingSafeEqual } from 'node:crypto';
import { BadRequestError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';

const LIFETIME_MS = 60_000;

/** The file that a token grants. */
export interface TemporaryFile {
  pathId: string;
  contentType: string;
  size: number;
}

interface Signed extends TemporaryFile {
  untilMs: number;
}

/** Valid for one minute, at every gateway with the secret. */
export function signToken({ pathId, contentType, size }: TemporaryFile, secret: string, nowMs: number): string {
  const signed: Signed = { pathId, contentType, size, untilMs: nowMs + LIFETIME_MS };
  const payload = Buffer.from(JSON.stringify(signed)).toString('base64url');
  return `${payload}.${signatureOf(payload, secret)}`;
}

/** Throws "Invalid token" for tokens not signed here, or expired ones. */
export function readToken(token: string, secret: string, nowMs: number): TemporaryFile {
  const [payload = '', signature = ''] = token.split('.');
  const [given, own] = [Buffer.from(signature), Buffer.from(signatureOf(payload, secret))];
  if (given.length !== own.length || !timingSafeEqual(given, own)) throw new BadRequestError(REFUSAL.requests.token);
  const file = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Signed;
  if (file.untilMs < nowMs) throw new BadRequestError(REFUSAL.requests.token);
  return file;
}

function signatureOf(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(payload).digest('base64url');
}
