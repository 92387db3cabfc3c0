import type { NavigationView } from '../proto';
import { publicNavigationView } from '../wire';
import { declareEvent } from './declare-event';

export interface NavigationViewAdded {
  userId: number;
  view: NavigationView;
}

/** A user has one more navigation view. Public event `navigation_view`, for that user. */
export const navigationViewAdded = declareEvent<NavigationViewAdded>()('navigation-view.added', [
  {
    type: 'navigation_view',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ view }) => ({ type: 'navigation_view', op: 'add', navigation_view: publicNavigationView(view) }),
  },
]);
