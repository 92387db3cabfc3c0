import { BadRequestError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type { Config } from '../config';

/** Throws unless the terms of service are accepted, if the server has any. */
export function requireTerms({ TERMS_URL: url }: Pick<Config, 'TERMS_URL'>, areAccepted: boolean): void {
  if (url !== undefined && !areAccepted) throw new BadRequestError(REFUSAL.accounts.mustAcceptTerms);
}
