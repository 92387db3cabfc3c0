-- Groups and their subgroups at any depth: the names of the system groups among them, and whether a sender, and the owner of a sending bot, are direct
-- members of any. The recursion stops at system groups, whose subgroups are constants. A function: within a statement, PostgreSQL would prepare the
-- recursion at each run, also where it is not needed.
create function reach_of_groups(realm bigint, groups bigint[], sender bigint, owner bigint) returns json language plpgsql stable as $$
begin
  return (
    with recursive reach (id) as (
      select unnest(groups)
      union
      select inside.subgroup_id from reach, lateral (
        select s.subgroup_id from user_group_subgroup s where s.realm_id = realm and s.group_id = reach.id offset 0) inside
    )
    select json_build_object(
      'systemGroups', coalesce(json_agg(system_group.name) filter (where system_group.name is not null), '[]'),
      'isSenderListed', coalesce(bool_or((
        select true from user_group_member m where m.realm_id = realm and m.group_id = reach.id and m.user_id = sender)), false),
      'isOwnerListed', coalesce(bool_or((
        select true from user_group_member m where m.realm_id = realm and m.group_id = reach.id and m.user_id = owner)), false))
    from reach left join lateral (
      select g.name from user_group g where g.realm_id = realm and g.id = reach.id and g.is_system limit 1
    ) system_group on true);
end $$;
