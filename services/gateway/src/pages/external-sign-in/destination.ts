import { BadRequestError } from '@parley/shared/errors';
import type { Config } from '../../config';
import type { SentParameters } from '../../http/decode-parameters';
import { nextOf } from '../next-address';
import { readPads } from './one-time-pad';

/** Where a sign-in leads: it is remembered while people are at their provider. */
export type Destination =
  | { to: 'browser'; next: string }
  | { to: 'phone'; pad: string; scheme: string }
  | { to: 'desktop'; pad: string };

/** The credential that realm makes for each. */
export const WANTED: Readonly<Record<Destination['to'], string>> = {
  browser: 'session',
  phone: 'api_key',
  desktop: 'login_token',
};

/** The sealed state has 1 KiB at most; longer addresses lead to the start page. */
const MAX_NEXT_LENGTH = 900;
const HOME = '/';
/** A phone whose app listens to another scheme than the first one says so; SPEC-GAP: clients send no scheme. */
const SCHEME = 'mobile_flow_scheme';

/** Throws for pads that are none, and for schemes that the configuration does not allow. */
export function destinationOf(
  sent: SentParameters,
  { APP_SCHEMES: schemes }: Pick<Config, 'APP_SCHEMES'>,
): Destination {
  const { phone, desktop } = readPads(sent);
  if (desktop !== undefined) return { to: 'desktop', pad: desktop };
  if (phone !== undefined) return { to: 'phone', pad: phone, scheme: schemeOf(sent, schemes) };
  const next = nextOf(sent);
  return { to: 'browser', next: next.length > MAX_NEXT_LENGTH ? HOME : next };
}

function schemeOf(sent: SentParameters, schemes: readonly string[]): string {
  const scheme = sent.get(SCHEME) ?? (schemes[0] as string);
  if (!schemes.includes(scheme)) throw new BadRequestError(`This server does not answer apps with ${SCHEME}=${scheme}`);
  return scheme;
}

/** As it is remembered. */
export function encodeDestination(destination: Destination): Buffer {
  return Buffer.from(JSON.stringify(destination));
}

export function decodeDestination(bytes: Uint8Array): Destination {
  return JSON.parse(Buffer.from(bytes).toString()) as Destination;
}
