import { brandedNames } from '@parley/shared/values';

const UPDATE_CHANNEL = 'service_update_announcements_stream_id';

/** The names under which clients are told of an organization's property; `brands` are those of API_BRANDS. */
export function toldNames(property: string, brands: readonly string[]): string[] {
  // COMPAT(level 453): the second one has taken its place.
  if (property === 'giphy_rating') return [property, 'gif_rating_policy'];
  if (property === UPDATE_CHANNEL) return brandedNames(property, brands);
  return [property];
}
