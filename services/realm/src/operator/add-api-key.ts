import { BadRequestError } from '@parley/shared/errors';
import type { AddApiKeyRequest, NewAccount } from '@parley/shared/proto';
import { codePointLength } from '@parley/shared/values';
import { issueApiKey } from '../api-keys/issue-api-key';
import type { Context } from '../context';
import { holdActivePerson } from './hold-active-person';

const MAX_LABEL_LENGTH = 100;

/** Gives a person one more key, without their password. For the operator's command. */
export async function addApiKey(ctx: Context, { label, ...named }: AddApiKeyRequest): Promise<NewAccount> {
  if (codePointLength(label) > MAX_LABEL_LENGTH) {
    throw new BadRequestError(`label is too long (limit: ${MAX_LABEL_LENGTH} characters)`);
  }
  return ctx.db.transaction(async (tx) => {
    const { realmId, id: userId, email } = await holdActivePerson(tx, named);
    const apiKey = await issueApiKey(tx, { realmId, userId, label, createdAtMs: ctx.clock.now() });
    return { realmId, userId, email, apiKey };
  });
}
