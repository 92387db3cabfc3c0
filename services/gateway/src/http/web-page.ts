import { createHash } from 'node:crypto';
import { escapeHtml } from '@parley/shared/values';
import type { Answer } from './answer';
import type { Exchange } from './exchange';
import { pageLanguage } from './page-language';

const STYLE = `:root{color-scheme:light dark}
body{margin:0;padding:2rem 1rem;font:1.0625rem/1.5 system-ui,sans-serif}
main{max-width:32rem;margin:0 auto}
button,a.button{padding:.75rem 1.5rem;border:0;border-radius:.375rem;background:#23508e;color:#fff;font:inherit;font-weight:bold;cursor:pointer}
a.button{display:inline-block;text-decoration:none}
label{display:block;margin-top:1rem;font-weight:bold}
label.beside{display:inline;font-weight:normal}
input:not([type=checkbox]){box-sizing:border-box;width:100%;padding:.625rem;border:1px solid #767676;border-radius:.375rem;font:inherit}
strong{unicode-bidi:isolate}
.hint{margin:.25rem 0 0}
.error{padding:.75rem 1rem;border-left:4px solid #c3262f;font-weight:bold}
form button{margin-top:1.5rem}
:focus-visible{outline:3px solid #5b7fb4;outline-offset:2px}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

function policy(formTargets: readonly string[], script: string): string {
  return [
    "default-src 'none'",
    ...(script === '' ? [] : [`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`]),
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "img-src 'self'",
  ].join('; ');
}

export const SIGN_IN_PATH = '/accounts/login';
/** Where people name their organization. */
export const CHOOSE_PATH = '/accounts/go';
export const ICON_PATH = '/favicon.svg';

interface PageContent {
  title: string;
  /** HTML: users' texts in it must be escaped. */
  content: string;
  status?: number;
  /** Other sites to which answers to its forms redirect: browsers follow only allowed ones. */
  formTargets?: readonly string[];
  /** Runs once the page is there; few pages need one. */
  script?: string;
}

/** A page for people, in the common layout; its texts are in the page's language. */
export function webPage(exchange: Exchange, page: PageContent): Answer {
  const { title, content, status = 200, formTargets = [], script = '' } = page;
  const heading = escapeHtml(title);
  const body = `<!doctype html>
<html lang="${pageLanguage(exchange)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
<link rel="icon" type="image/svg+xml" href="${ICON_PATH}">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
${content}
</main>${script && `\n<script>${script}</script>`}
</body>
</html>
`;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy(formTargets, script),
    Vary: 'Authorization, Cookie, Accept, Accept-Language',
    // Other sites get no addresses, which may contain keys. With 'no-referrer', browsers on plain http would hide where forms come from.
    'Referrer-Policy': 'same-origin',
  };
  return { status, body, headers };
}
