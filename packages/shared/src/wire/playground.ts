import type { Playground } from '../proto';
import { isSafeUrlTemplate } from '../values';

/** The API's code playground objects, without those whose templates lead to no safe address, whoever stored them. */
export function publicPlaygrounds(playgrounds: readonly Playground[]) {
  return playgrounds.filter(({ urlTemplate }) => isSafeUrlTemplate(urlTemplate)).map(publicPlayground);
}

function publicPlayground({ id, name, pygmentsLanguage, urlTemplate }: Playground) {
  return { id, name, pygments_language: pygmentsLanguage, url_template: urlTemplate };
}
