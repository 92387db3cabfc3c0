import type { NavigationView } from '../proto';
import { publicNavigationView } from '../wire';
import { declareEvent } from './declare-event';

export interface NavigationViewAdded {
  userId: number;
  view: NavigationView;
}

/** A navigation view was added. Public event `navigation_view`, for its user. */
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
  /** Each is absent if unchanged. */
  name?: string;
  isPinned?: boolean;
}

/** A navigation view was renamed, pinned or unpinned. Public event `navigation_view`, for its user. */
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

/** A navigation view was deleted. Public event `navigation_view`, for its user. */
export const navigationViewRemoved = declareEvent<NavigationViewRemoved>()('navigation-view.removed', [
  {
    type: 'navigation_view',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ fragment }) => ({ type: 'navigation_view', op: 'remove', fragment }),
  },
]);
