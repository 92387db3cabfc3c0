import { type MarkdownForm, renderMarkdown } from '@parley/shared/markdown';

const NO_FACTS = { users: [], groups: [], channels: [], linkifiers: [], realmUrl: '' };

/** The HTML of a text that mentions nothing. With it, filled texts need not be rendered by the job that renders those of other releases. */
export function renderPlain(text: string, form: MarkdownForm): string {
  return renderMarkdown(text, NO_FACTS, form).html;
}
