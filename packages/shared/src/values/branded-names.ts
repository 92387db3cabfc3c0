const NEUTRAL_BRAND = 'service';

/** The names under which clients are told of a field that carries a brand, given its neutral one; `brands` are those of API_BRANDS. */
export function brandedNames(name: string, brands: readonly string[]): string[] {
  return brands.map((brand) => name.replace(NEUTRAL_BRAND, brand));
}
