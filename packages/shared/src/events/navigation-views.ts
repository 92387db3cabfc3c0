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

export interface NavigationViewChanged {
  userId: number;
  fragment: string;
  /** Each is absent when it stays. */
  name?: string;
  isPinned?: boolean;
}

/** A user has renamed, pinned or unpinned a navigation view. Public event `navigation_view`, for that user. */
export const navigationViewChanged = declareEvent<NavigationViewChanged>()('navigation-view.changed', [
  {
    type: 'navigation_view',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ fragment, name, isPinned }) => ({
      type: 'navigation_view',
      op: 'update',
      fragment,
      data: { ...(name !== undefined && { name }), ...(isPinned !== undefined && { is_pinned: isPinned }) },
    }),
  },
]);

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
