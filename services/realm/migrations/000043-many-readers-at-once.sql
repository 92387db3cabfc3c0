-- When many readers change at once, everybody's facts are read anew: one row is written instead of one for each reader, which made a
-- subscription of 10,000 people a third dearer.
-- The pairs of ids are distinct.
create function count_reader_changes(realm_ids bigint[], user_ids bigint[]) returns void language plpgsql as $$
begin
  if cardinality(user_ids) > 100 then
    insert into list_change as c (realm_id, list, backend, changes)
    select touched.realm_id, 'reading', pg_backend_pid(), 1
    from (select distinct realm_id from unnest(realm_ids) realm_id) touched
    on conflict (realm_id, list, backend) do update set changes = c.changes + 1;
  else
    insert into reader_change as c (realm_id, user_id, backend, changes)
    select touched.realm_id, touched.user_id, pg_backend_pid(), 1
    from unnest(realm_ids, user_ids) as touched (realm_id, user_id)
    on conflict (realm_id, user_id, backend) do update set changes = c.changes + 1;
  end if;
end $$;

create or replace function count_reader_change() returns trigger language plpgsql as $$
begin
  perform count_reader_changes(array_agg(realm_id), array_agg(user_id))
  from (select distinct realm_id, user_id from changed) touched;
  return null;
end $$;

create or replace function count_subscription_change() returns trigger language plpgsql as $$
begin
  perform count_reader_changes(array_agg(realm_id), array_agg(user_id)) from (
    select distinct realm_id, user_id from (
      select realm_id, channel_id, user_id, is_active, is_muted from after_change
      except select realm_id, channel_id, user_id, is_active, is_muted from before_change
    ) changed
  ) touched;
  return null;
end $$;
