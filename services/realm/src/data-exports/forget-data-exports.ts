import type { DoomedDataExports, ForgetDataExportsResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { forgetPaths } from './data-exports.sql';

/** Their bytes are gone. */
export async function forgetDataExports(
  { db }: Context,
  { doomed }: DoomedDataExports,
): Promise<ForgetDataExportsResponse> {
  await forgetPaths(db, doomed);
  return {};
}
