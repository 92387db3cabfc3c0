import type { Linkifier } from '../proto';
import { publicLinkifiers } from '../wire';
import { type ClientView, declareEvent } from './declare-event';

export interface LinkifiersChanged {
  /** All that the organization has now, in the order in which they are applied. */
  linkifiers: Linkifier[];
}

/** An organization's linkifiers, or their order, changed. Public event `realm_linkifiers`, for everybody. */
export const linkifiersChanged = declareEvent<LinkifiersChanged>()('linkifiers.changed', [
  {
    type: 'realm_linkifiers',
    audience: () => ({ to: 'realm' }),
    variant: (view) => `${isUnderstood(view)}`,
    render: ({ linkifiers }, view) => ({
      type: 'realm_linkifiers',
      realm_linkifiers: isUnderstood(view) ? publicLinkifiers(linkifiers) : [],
    }),
  },
]);

function isUnderstood({ capabilities }: ClientView): boolean {
  return capabilities.includes('linkifier_url_template');
}
