import { PublicError } from '@parley/shared/errors';
import { escapeHtml } from '@parley/shared/values';
import type { Answer } from '../http/answer';
import { wantsPage } from '../http/error-page';
import type { Exchange } from '../http/exchange';
import { pageLanguage, refusalOf } from '../http/page-language';

/** One grey pixel: the placeholder for an image that was refused. */
const GREY_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

/** Shows an error as an image if the browser requested one, and otherwise as a page, also to programs. */
export async function orRefusalPage(exchange: Exchange, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PublicError) || ![403, 404].includes(error.httpStatus) || wantsPage(exchange)) throw error;
    return refusal(error, exchange);
  }
}

function refusal(error: PublicError, exchange: Exchange): Answer {
  const isPicture = /^image\//.test((exchange.header('accept') ?? '').trim());
  const { text, language = pageLanguage(exchange) } = refusalOf(error, exchange);
  const headers = {
    'Content-Type': isPicture ? 'image/png' : 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'",
    Vary: `Authorization, Accept${isPicture ? '' : ', Accept-Language'}`,
  };
  const page = `<!doctype html>\n<html lang="${language}"><title>${error.httpStatus}</title><p>${escapeHtml(text)}</p></html>\n`;
  return { status: error.httpStatus, body: isPicture ? GREY_PIXEL : page, headers };
}
