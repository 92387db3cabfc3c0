import type { AlertWords } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listAlertWords } from './alert-words.sql';

/** The caller's alert words. */
export async function getAlertWords(ctx: Context, { realmId, userId }: Caller): Promise<AlertWords> {
  const alertWords = await listAlertWords(ctx.db, realmId, userId);
  return { words: alertWords.map(({ word }) => word) };
}
