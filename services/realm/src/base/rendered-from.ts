import { MARKDOWN_VERSION } from '@parley/shared/markdown';

/** SQL: the value of `rendered_from` if the stored HTML is the text's rendering. The argument is SQL. */
export function renderedFrom(text: string): string {
  return `md5('${MARKDOWN_VERSION} ' || ${text})`;
}
