import type { Linkifier } from '../proto';

/** The API's linkifier object; in GET /realm/linkifiers, POST /register and `realm_linkifiers` events alike. */
export function publicLinkifier({ id, pattern, urlTemplate }: Linkifier) {
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
