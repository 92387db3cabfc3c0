import { brandedNames } from '../values';
import { declareEvent } from './declare-event';

export interface ReleaseChanged {
  version: string;
  mergeBase: string;
  featureLevel: number;
  /** When it became known that the server is of this release, UNIX seconds. */
  generation: number;
  /** Prefixes of the names of what clients are told, see API_BRANDS. */
  brands: readonly string[];
}

/** The server is of another version, or feature level: clients choose their behaviour by it. Public event `restart`, for everybody. */
export const releaseChanged = declareEvent<ReleaseChanged>()('release.changed', [
  {
    type: 'restart',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ version, mergeBase, featureLevel, generation, brands }) => ({
      type: 'restart',
      ...inEveryBrand('service_version', version, brands),
      ...inEveryBrand('service_merge_base', mergeBase, brands),
      ...inEveryBrand('service_feature_level', featureLevel, brands),
      server_generation: generation,
    }),
  },
]);

function inEveryBrand(name: string, value: string | number, brands: readonly string[]) {
  return Object.fromEntries(brandedNames(name, brands).map((alias) => [alias, value]));
}
