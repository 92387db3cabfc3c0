import { escapeHtml } from '@parley/shared/values';
import { API_PREFIX } from '../http/endpoint';
import { EXAMPLE_ORIGIN } from './example';
import { commonErrors } from './operations';
import { type Operation, renderCode, renderErrors, renderOperation } from './render-operation';
import { WEBHOOK_GUIDE, WEBHOOK_JAVASCRIPT, WEBHOOK_PYTHON } from './webhook-guide';

export const DOCS_PATH = '/docs';
export const STYLE_PATH = `${DOCS_PATH}/style.css`;
export const SCRIPT_PATH = `${DOCS_PATH}/script.js`;

type ByTag = ReadonlyMap<string, readonly Operation[]>;

/** The reference as one page, which loads only its own style and script. */
export function renderPage(byTag: ByTag): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_PATH}">
<script defer src="${SCRIPT_PATH}"></script>
</head>
<body data-origin="${EXAMPLE_ORIGIN}">
<a class="skip" href="#main">Skip the list of operations</a>
<div class="page">
<div class="side">
<form role="search" hidden>
<label for="search">Search operations</label>
<input id="search" type="search" autocomplete="off" spellcheck="false" aria-describedby="found" aria-keyshortcuts="/">
<p id="found" role="status"></p>
</form>
<nav aria-label="Operations">${[...byTag].map(renderLinks).join('\n')}</nav>
</div>
<main id="main" tabindex="-1">
${introduction()}
${[...byTag].map(renderTag).join('\n')}
</main>
</div>
</body>
</html>
`;
}

function renderLinks([tag, operations]: [string, readonly Operation[]]): string {
  const items = operations.map(
    ({ id, method, path }) => `<li><a href="#${id}"><span class="method">${method}</span> ${escapeHtml(path)}</a></li>`,
  );
  return `<section><h2>${titleOf(tag)}</h2><ul>${items.join('\n')}</ul></section>`;
}

function renderTag([tag, operations]: [string, readonly Operation[]]): string {
  return `<section class="tag" aria-label="${titleOf(tag)}">
<h2>${titleOf(tag)}</h2>
${operations.map(renderOperation).join('\n')}
</section>`;
}

const titleOf = (tag: string) => escapeHtml(tag.replaceAll('_', ' '));

function introduction(): string {
  return `<h1>API reference</h1>
<p>Every path is below <code>${API_PREFIX}</code>. Who calls is told by HTTP Basic: the e-mail address of an account and its API key. Browsers that are
signed in find the same endpoints below <code>/json</code>: there the session in the cookie counts, and requests that change something send the value of the cookie
<code>csrftoken</code> in a header <code>X-CSRFToken</code>, or get <code>CSRF_FAILED</code>. Parameters
are sent in the query, urlencoded or as a multipart form; those marked JSON are JSON texts. Every answer is a JSON object: <code>result</code> is
<code>success</code> or <code>error</code>, and <code>ignored_parameters_unsupported</code> names the parameters that an operation does not have.
The same as a document for programs: <a href="${API_PREFIX}/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<h2>Errors of every operation</h2>
${renderErrors(commonErrors())}
<h2>Outgoing webhooks</h2>
<p>${escapeHtml(WEBHOOK_GUIDE)}</p>
${renderCode('Whether a call is genuine, in Python', 'answer', WEBHOOK_PYTHON, { heading: 'h3' })}
${renderCode('Whether a call is genuine, in JavaScript', 'answer', WEBHOOK_JAVASCRIPT, { heading: 'h3' })}`;
}
