import { TextDecoder } from 'node:util';
import type { WebsiteCard } from '@parley/shared/markdown';
import { type OutsideAnswer, OutsideError, type OutsideHttp } from '@parley/shared/outside-http';
import { readCard } from './read-card';

/** The head of a page is at its beginning. */
const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 8_000;
const MAX_REDIRECTS = 5;
const HEADERS = {
  Accept: 'text/html, application/xhtml+xml',
  'Accept-Encoding': 'identity',
  'User-Agent': 'Mozilla/5.0 (compatible; Parley link previews)',
};

/** The card of a page out there; null when it has none, or there is no such page to be had. */
export async function fetchCard(outside: OutsideHttp, url: string, signal: AbortSignal): Promise<WebsiteCard | null> {
  try {
    const answer = await outside({
      url,
      headers: HEADERS,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      isBeginningEnough: true,
      maxRedirects: MAX_REDIRECTS,
      signal,
    });
    return isPage(answer) ? readCard(textOf(answer), answer.url) : null;
  } catch (error) {
    if (error instanceof OutsideError) return null;
    throw error;
  }
}

function isPage({ status, headers }: OutsideAnswer): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  const type = headers['content-type'] ?? '';
  return status === 200 && encoding === 'identity' && /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type);
}

/** In the encoding that the answer names, or else the page itself. */
function textOf({ headers, body }: OutsideAnswer): string {
  const named = /charset=["']?([\w-]+)/i;
  const label = named.exec(headers['content-type'] ?? '') ?? named.exec(body.toString('latin1', 0, 1_024));
  return decoderOf(label?.[1] ?? 'utf-8').decode(body);
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
