/** SQL: an organization's code playgrounds as a JSON array. The argument is SQL. */
export function playgroundsOf(realmId: string): string {
  return `(select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name,
      'pygmentsLanguage', p.pygments_language, 'urlTemplate', p.url_template) order by p.id), '[]')
    from playground p where p.realm_id = ${realmId})`;
}
