import type { Playground } from '../proto';
import { publicPlaygrounds } from '../wire';
import { declareEvent } from './declare-event';

export interface PlaygroundsChanged {
  /** All that the organization has now. */
  playgrounds: Playground[];
}

/** An organization's code playgrounds changed. Public event `realm_playgrounds`, for everybody. */
export const playgroundsChanged = declareEvent<PlaygroundsChanged>()('playgrounds.changed', [
  {
    type: 'realm_playgrounds',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ playgrounds }) => ({ type: 'realm_playgrounds', realm_playgrounds: publicPlaygrounds(playgrounds) }),
  },
]);
