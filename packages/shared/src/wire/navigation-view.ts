import type { NavigationView } from '../proto';

/** A navigation view in the public dialect; called for GET /navigation_views, POST /register and events. */
export function publicNavigationView({ fragment, isPinned, name }: NavigationView) {
  return { fragment, is_pinned: isPinned, name: name ?? null };
}
