import { batched } from '@parley/shared/batch';
import { UnauthorizedError } from '@parley/shared/errors';
import type { Caller, CarryingCaller, Confirmation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findHoldersNow } from './api-keys.sql';
import { type HolderNow, isStillGood } from './permissions';

/** These methods load the account with other facts, and confirm the credential with it: confirmBy(). */
const CONFIRMED_WITHIN = ['getReadFacts', 'getMarkFacts', 'getEditFacts', 'getOwnAccount'] as const;

/** Confirms the credentials sent along with calls; those of concurrent calls in one statement. */
export function confirmationOf({ db }: Pick<Context, 'db'>): Confirmation<'realm'> {
  const confirm = batched((callers: CarryingCaller[]) => confirmAll(db, callers), { maxItems: 64, maxInFlight: 2 });
  return {
    confirm,
    within: CONFIRMED_WITHIN,
    // Methods that record an attempt or create something.
    changing: ['getWebhookSecret', 'getBotApiKey', 'listOwnBots'],
  };
}

/** The key whose account confirmBy() needs; null: there is nothing to confirm. */
export function keyToConfirm({ credential }: Caller): number | null {
  return credential && !credential.isConfirmed ? credential.apiKeyId : null;
}

/** Confirms a call's credential by the account of its key. */
export function confirmBy(holder: HolderNow | null, caller: Caller): void {
  const { credential } = caller;
  if (!credential || credential.isConfirmed) return;
  if (!isStillGood(credential, holder)) throw invalidKey();
  credential.isConfirmed = true;
}

async function confirmAll(db: Context['db'], callers: readonly CarryingCaller[]): Promise<(true | Error)[]> {
  const holders = await findHoldersNow(
    db,
    callers.map(({ realmId, userId, credential }) => ({ realmId, userId, apiKeyId: credential.apiKeyId })),
  );
  return callers.map(({ credential }, index) => isStillGood(credential, holders[index] ?? null) || invalidKey());
}

function invalidKey(): UnauthorizedError {
  return new UnauthorizedError('Invalid API key');
}
