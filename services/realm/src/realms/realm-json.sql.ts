/** SQL for an Organization as JSON, from a row of `realm` called `r`. */
export const REALM_JSON = `json_build_object(
  'id', r.id, 'subdomain', r.subdomain, 'name', r.name, 'description', r.description,
  'renderedDescription', r.rendered_description, 'isDeactivated', r.is_deactivated,
  'topicsPolicy', r.topics_policy, 'createdAtMs', (extract(epoch from r.created_at) * 1000)::bigint)`;
