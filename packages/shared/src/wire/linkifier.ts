import type { Linkifier } from '../proto';
import { isSafeUrlTemplate } from '../values';

/**
 * The API's linkifier objects; in GET /realm/linkifiers, POST /register and `realm_linkifiers` events alike. Clients expand the
 * templates: one that leads to no safe address is left out, whoever stored it.
 */
export function publicLinkifiers(linkifiers: readonly Linkifier[]) {
  return linkifiers.filter(({ urlTemplate }) => isSafeUrlTemplate(urlTemplate)).map(publicLinkifier);
}

function publicLinkifier({ id, pattern, urlTemplate }: Linkifier) {
  return {
    id,
    pattern,
    url_template: urlTemplate,
    // Nothing sets these yet.
    example_input: null,
    reverse_template: null,
    alternative_url_templates: [] as string[],
  };
}
