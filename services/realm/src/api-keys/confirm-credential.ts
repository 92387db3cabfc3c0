import { batched } from '@parley/shared/batch';
import { UnauthorizedError } from '@parley/shared/errors';
import type { CarryingCaller, Confirmation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findHoldersNow } from './api-keys.sql';
import { isStillGood } from './permissions';

/** Confirms the credentials that travel with calls; those of concurrent calls by one statement. */
export function confirmationOf({ db }: Pick<Context, 'db'>): Confirmation<'realm'> {
  const confirm = batched((callers: CarryingCaller[]) => confirmAll(db, callers), { maxItems: 64, maxInFlight: 2 });
  return {
    confirm,
    within: ['getReadFacts'],
    // They record or make something.
    changing: ['getWebhookSecret', 'getBotApiKey', 'listOwnBots'],
  };
}

async function confirmAll(db: Context['db'], callers: readonly CarryingCaller[]): Promise<(true | Error)[]> {
  const holders = await findHoldersNow(
    db,
    callers.map(({ realmId, userId, credential }) => ({ realmId, userId, apiKeyId: credential.apiKeyId })),
  );
  return callers.map(
    ({ credential }, index) =>
      isStillGood(credential, holders[index] ?? null) || new UnauthorizedError('Invalid API key'),
  );
}
