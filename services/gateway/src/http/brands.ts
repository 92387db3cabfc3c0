import { brandedNames } from '@parley/shared/values';
import type { z } from 'zod';

/** The API's feature level, on which clients' behaviour depends. */
const FEATURE_LEVEL = 482;
const VERSION = '0.1.0';

/** Fields whose names carry a brand. Declarations use the neutral name; API_BRANDS decides which names are sent. */
const BRANDED_FIELDS = [
  'service_feature_level',
  'service_version',
  'service_merge_base',
  'service_plan_is_not_limited',
  'service_update_announcements_stream_id',
  'realm_service_update_announcements_stream_id',
] as const;

/** The server's version, as clients see it. */
export const serverVersion = {
  service_feature_level: FEATURE_LEVEL,
  service_version: VERSION,
  service_merge_base: VERSION,
};

export function isBranded(schema: z.ZodObject): boolean {
  return BRANDED_FIELDS.some((name) => name in schema.shape);
}

/** The same members, with each branded one repeated under every brand's name. */
export function branded<T>(members: Record<string, T>, brands: readonly string[]): Record<string, T> {
  const sent = { ...members };
  for (const name of BRANDED_FIELDS) {
    if (!(name in members)) continue;
    delete sent[name];
    for (const alias of brandedNames(name, brands)) sent[alias] = members[name] as T;
  }
  return sent;
}

/** The names under which a declared field is sent. */
export function sentNames(name: string, brands: readonly string[]): string[] {
  const isOne = (BRANDED_FIELDS as readonly string[]).includes(name);
  return isOne ? brandedNames(name, brands) : [name];
}
