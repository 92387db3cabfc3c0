import { declareEvent } from './declare-event';

export interface NavigationViewRemoved {
  userId: number;
  fragment: string;
}

/** A user has one navigation view less. Public event `navigation_view`, for that user. */
export const navigationViewRemoved = declareEvent<NavigationViewRemoved>()('navigation-view.removed', [
  {
    type: 'navigation_view',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ fragment }) => ({ type: 'navigation_view', op: 'remove', fragment }),
  },
]);
