import type { NavigationViews } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listNavigationViews } from './navigation-views.sql';

/** The caller's navigation views, as far as they have set them. */
export async function getNavigationViews(ctx: Context, { realmId, userId }: Caller): Promise<NavigationViews> {
  return { views: await listNavigationViews(ctx.db, realmId, userId) };
}
