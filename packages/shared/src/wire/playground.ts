import type { Playground } from '../proto';

/** The API's code playground object. */
export function publicPlayground({ id, name, pygmentsLanguage, urlTemplate }: Playground) {
  return { id, name, pygments_language: pygmentsLanguage, url_template: urlTemplate };
}
