-- Counting each changed account took a time that grew with the square of their number: one statement counts once.
create function count_standing_change() returns trigger language plpgsql as $$
begin
  insert into list_change as c (realm_id, list, backend, changes)
  select touched.realm_id, touched_list, pg_backend_pid(), 1
  from (
    select distinct after_change.realm_id
    from after_change join before_change using (realm_id, id)
    where (after_change.role, after_change.is_active, after_change.system_bot, after_change.created_at)
      is distinct from (before_change.role, before_change.is_active, before_change.system_bot, before_change.created_at)
  ) touched, unnest(tg_argv) touched_list
  on conflict (realm_id, list, backend) do update set changes = c.changes + 1;
  return null;
end $$;

create or replace trigger count_standing after update on user_account
  referencing old table as before_change new table as after_change
  for each statement execute function count_standing_change('groups', 'channels', 'statuses');
