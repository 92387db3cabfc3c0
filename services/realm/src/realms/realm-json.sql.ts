import { REALM_SETTINGS } from '@parley/shared/values';

/** SQL for an Organization as JSON, without its pictures, from a row of `realm` called `r`. */
export const REALM_JSON = `json_build_object(
  'id', r.id, 'subdomain', r.subdomain, 'name', r.name, 'description', r.description,
  'renderedDescription', r.rendered_description, 'isDeactivated', r.is_deactivated,
  'topicsPolicy', coalesce(r.settings ->> 'topics_policy', '${REALM_SETTINGS.topics_policy.default}'),
  'settings', r.settings::text, 'createdAtMs', (extract(epoch from r.created_at) * 1000)::bigint)`;
