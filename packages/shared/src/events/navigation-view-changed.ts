import { declareEvent } from './declare-event';

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
