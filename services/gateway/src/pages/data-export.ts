import { DATA_EXPORT_PREFIX } from '@parley/shared/wire';
import type { Context } from '../context';
import { identify } from '../http/identify';
import type { Page } from '../http/routes';
import { PATH_PATTERNS } from '../uploads/path-id';
import { orRefusalPage } from '../uploads/refusal-page';
import { serveFile } from '../uploads/serve-file';

/** An archive of the organization, for its administrators. */
export function dataExport(ctx: Context): Page {
  return {
    path: `${DATA_EXPORT_PREFIX}{realm_id}/{shard}/{secret}/{attempt}/{name}`,
    patterns: { ...PATH_PATTERNS, attempt: /^\d{1,2}$/ },
    ownLimit: 'downloads',
    answer: (parts, exchange) =>
      orRefusalPage(exchange, async () => {
        const caller = await identify(ctx, exchange);
        const path = ['realm_id', 'shard', 'secret', 'attempt', 'name'].map((name) => parts[name]).join('/');
        const { size } = await ctx.services.realm.getDataExport(caller, { path });
        const range = exchange.header('range');
        const file = { pathId: path, contentType: 'application/gzip', size, isDownload: true, range };
        return serveFile(ctx.uploads.store, file);
      }),
  };
}
