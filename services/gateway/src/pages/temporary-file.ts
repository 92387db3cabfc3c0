import { BadRequestError } from '@parley/shared/errors';
import type { Context } from '../context';
import type { Exchange } from '../http/exchange';
import type { Page } from '../http/routes';
import { serveFile } from '../uploads/serve-file';
import { readToken, type TemporaryFile } from '../uploads/temporary-token';

/** An uploaded file by a temporary address, valid for less than a minute; ranges are served. */
export function temporaryFile(ctx: Context): Page {
  const { uploads } = ctx;
  return {
    path: '/user_uploads/temporary/{token}/{filename}',
    isSecret: true,
    answer({ token = '', filename = '' }, exchange) {
      const file = fileOf(ctx, exchange, token);
      ctx.rateLimits.countOwn(exchange, 'downloads');
      if (!file.pathId.endsWith(`/${filename}`)) throw new BadRequestError('Invalid filename');
      return serveFile(uploads.store, { ...file, isDownload: false, range: exchange.header('range') });
    },
  };
}

/** Invalid tokens count for the address like wrong credentials. */
function fileOf({ clock, uploads, rateLimits }: Context, exchange: Exchange, token: string): TemporaryFile {
  try {
    return readToken(token, uploads.tokenSecret, clock.now());
  } catch (error) {
    rateLimits.countAddress(exchange);
    throw error;
  }
}
