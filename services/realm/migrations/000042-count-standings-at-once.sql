-- Counting each changed account took a time that grew with the square of their number: one statement counts once.
create function count_standing_change() returns trigger language plpgsql as $$
begin
  insert into list_change as c (realm_id, list, backend, changes)
  select touched.realm_id, touched_list, pg_backend_pid(), 1
  from (
    select distinct realm_id from (
      select realm_id, id, role, is_active, system_bot, created_at from after_change
      except select realm_id, id, role, is_active, system_bot, created_at from before_change
    ) changed
  ) touched, unnest(tg_argv) touched_list
  on conflict (realm_id, list, backend) do update set changes = c.changes + 1;
  return null;
end $$;

create or replace trigger count_standing after update on user_account
  referencing old table as before_change new table as after_change
  for each statement execute function count_standing_change('groups', 'channels', 'statuses');
