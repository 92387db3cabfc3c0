const UPDATE_CHANNEL = 'service_update_announcements_stream_id';
const NEUTRAL_BRAND = 'service';

/** The names under which clients are told of an organization's property; `brands` are those of API_BRANDS. */
export function toldNames(property: string, brands: readonly string[]): string[] {
  // COMPAT(level 453): the second one has taken its place.
  if (property === 'giphy_rating') return [property, 'gif_rating_policy'];
  if (property === UPDATE_CHANNEL) return brands.map((brand) => property.replace(NEUTRAL_BRAND, brand));
  return [property];
}
