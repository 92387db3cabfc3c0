import { BadRequestError } from '@parley/shared/errors';
import type { Context } from '../context';
import type { Page } from '../http/routes';
import { serveFile } from '../uploads/serve-file';
import { readToken } from '../uploads/temporary-token';

/** An uploaded file, for whoever has been given its address less than a minute ago. */
export function temporaryFile({ clock, uploads }: Context): Page {
  return {
    path: '/user_uploads/temporary/{token}/{filename}',
    isSecret: true,
    answer({ token = '', filename = '' }, exchange) {
      const file = readToken(token, uploads.tokenSecret, clock.now());
      if (!file.pathId.endsWith(`/${filename}`)) throw new BadRequestError('Invalid filename');
      return serveFile(uploads.store, { ...file, isDownload: false, range: exchange.header('range') });
    },
  };
}
