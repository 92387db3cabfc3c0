import type { Sql } from '@parley/shared/db';
import { BadRequestError, RealmDeactivatedError } from '@parley/shared/errors';
import type { EmailChange, EmailChangeKey, Organization } from '@parley/shared/proto';
import type { Context } from '../context';
import { getRealm } from '../realms/get-realm';
import { hashConfirmationKey } from './confirmation-key';
import { type EmailChangeRow, findEmailChangeByKey } from './email-changes.sql';
import { VALID_MS } from './request-email-change';

/** What a key would change. */
export async function findEmailChange(ctx: Context, { subdomain, key }: EmailChangeKey): Promise<EmailChange> {
  const { id, name } = await getOpenRealm(ctx, subdomain);
  const { newEmail } = await getEmailChange(ctx.db, { realmId: id, key, nowMs: ctx.clock.now() });
  return { organizationName: name, newEmail };
}

export async function getOpenRealm(ctx: Context, subdomain: string): Promise<Organization> {
  const realm = await getRealm(ctx, { subdomain });
  if (realm.isDeactivated) throw new RealmDeactivatedError();
  return realm;
}

interface KeyUse {
  realmId: number;
  key: string;
  nowMs: number;
}

/** The change that belongs to a key. Whether there is none or its time is over nobody is told. */
export async function getEmailChange(sql: Sql, { realmId, key, nowMs }: KeyUse): Promise<EmailChangeRow> {
  const keyHash = hashConfirmationKey(key);
  const change = keyHash && (await findEmailChangeByKey(sql, realmId, keyHash));
  if (!change || change.createdAtMs + VALID_MS <= nowMs) throw noSuchEmailChange();
  return change;
}

export function noSuchEmailChange(): BadRequestError {
  return new BadRequestError('The confirmation link is not valid, or has expired.', {}, 404);
}
