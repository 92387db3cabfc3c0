import type { Answer } from '../http/answer';

export const A_DAY = 'public, max-age=86400';

/** A drawing; opened as a page it runs and loads nothing. */
export function svgImage(body: string, cacheControl = A_DAY): Answer {
  const headers = {
    'Content-Type': 'image/svg+xml',
    'Cache-Control': cacheControl,
    'Content-Security-Policy': "default-src 'none'",
  };
  return { status: 200, body, headers };
}
