import { escapeHtml } from '@parley/shared/values';
import { describeType, type JsonSchema } from './describe-type';
import type { ErrorExample } from './error-examples';

/** A parameter of an operation, or a member of its answer. */
export interface Field {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
  /** The parameter's location; empty for the usual one. */
  place: string;
}

/** An event, or an object in events. */
export interface EventSection {
  /** `type`, or `type/op`; for an object its name in types. */
  name: string;
  note: string;
  members: Field[];
  example?: string | undefined;
}

/** The parts of an operation on the page. */
export interface Operation {
  /** Its anchor within the page. */
  id: string;
  method: string;
  path: string;
  summary: string;
  isOpenToAll: boolean;
  parameters: Field[];
  members: Field[];
  events: EventSection[];
  /** Without the errors of every operation. */
  errors: ErrorExample[];
  curl: string | null;
  answer: string | null;
}

/** One operation as HTML, collapsed at first. */
export function renderOperation(operation: Operation): string {
  const { id, method, path, summary, isOpenToAll, parameters, members, events, errors, curl, answer } = operation;
  return `<article id="${id}" class="operation">
<h3><a href="#${id}"><span class="method">${method}</span> <span class="path">${escapeHtml(path)}</span></a></h3>
<p>${escapeHtml(summary)}.${isOpenToAll ? ' <em>Needs no credentials.</em>' : ''}</p>
<details>
<summary>Parameters, example and errors<span class="unseen"> of ${method} ${escapeHtml(path)}</span></summary>
${renderFields('Parameters', parameters)}
${curl === null ? '' : renderCode('Example request', 'request', curl)}
${answer === null ? '' : renderCode('Example answer', 'answer', answer)}
${renderFields('Members of the answer', members)}
${events.length === 0 ? '' : `<h4>Events</h4>\n${events.map(renderEvent).join('\n')}`}
${errors.length === 0 ? '' : `<h4>Errors</h4>\n${renderErrors(errors)}`}
</details>
</article>`;
}

function renderEvent({ name, note, members, example }: EventSection): string {
  const [type = '', op] = name.split('/');
  const title = `<code>${escapeHtml(type)}</code>${op === undefined ? '' : ` op <code>${escapeHtml(op)}</code>`}`;
  return `<details class="event" id="event-${escapeHtml(name.replace('/', '-'))}">
<summary>${title}</summary>
${note && `<p>${withCode(note)}</p>`}
${renderTable(`Members of ${name}`, members)}
${example === undefined ? '' : renderCode('Example', 'payload', example, { label: `Example of ${name}` })}
</details>`;
}

function renderFields(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return `<h4>${title}</h4>\n<p>None.</p>`;
  return `<h4>${title}</h4>\n${renderTable(title, fields)}`;
}

function renderTable(title: string, fields: readonly Field[]): string {
  return `<div class="wide" role="group" aria-label="${title}" tabindex="0"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${fields.map(renderField).join('\n')}</tbody>
</table></div>`;
}

function renderField({ name, schema, isRequired, place }: Field): string {
  const byDefault =
    schema.default === undefined ? '' : `Default: <code>${escapeHtml(JSON.stringify(schema.default))}</code>.`;
  const meaning = [withCode(schema.description ?? ''), byDefault].filter((part) => part !== '').join(' ');
  const marks = [isRequired ? '' : 'optional', place].filter((mark) => mark !== '').join(', ');
  return `<tr><th scope="row"><code>${escapeHtml(name)}</code>${marks && ` <small>${marks}</small>`}</th>\
<td><code>${escapeHtml(describeType(schema))}</code></td><td>${meaning}</td></tr>`;
}

/** A description, where `this` is code. */
const withCode = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** Code under a heading; its label distinguishes it from others with the same title. */
export function renderCode(
  title: string,
  kind: string,
  code: string,
  { label = title, heading = 'h4' }: { label?: string; heading?: 'h3' | 'h4' } = {},
): string {
  return `<${heading}>${title}</${heading}>
<pre class="${kind}" role="group" aria-label="${label}" tabindex="0"><code>${escapeHtml(code)}</code></pre>`;
}

export function renderErrors(errors: readonly ErrorExample[]): string {
  const items = errors.map(
    ({ status, answer }) => `<li>${status} <code>${escapeHtml(JSON.stringify(answer))}</code></li>`,
  );
  return `<ul class="errors">\n${items.join('\n')}\n</ul>`;
}
