-- The facts for reading messages are cached by a version: the sum of an organization's changes of the list 'reading' (its settings, the
-- rules of its channels and its groups) and of the reader's own changes, counted here as in list_change. New subscribers of a channel are
-- no change for those who read it.
create table reader_change (
  realm_id bigint not null,
  user_id bigint not null,
  backend integer not null,
  changes bigint not null,
  primary key (realm_id, user_id, backend)
) with (fillfactor = 50);

-- For every user who has rows in `changed`.
create function count_reader_change() returns trigger language plpgsql as $$
begin
  insert into reader_change as c (realm_id, user_id, backend, changes)
  select touched.realm_id, touched.user_id, pg_backend_pid(), 1
  from (select distinct realm_id, user_id from changed) touched
  on conflict (realm_id, user_id, backend) do update set changes = c.changes + 1;
  return null;
end $$;

-- What is read does not depend on the color or the notifications of a subscription. The difference of sets is linear whatever plan is cached; a join
-- planned for two rows would compare each of 10,000 with all others.
create function count_subscription_change() returns trigger language plpgsql as $$
begin
  insert into reader_change as c (realm_id, user_id, backend, changes)
  select touched.realm_id, touched.user_id, pg_backend_pid(), 1
  from (
    select distinct realm_id, user_id from (
      select realm_id, channel_id, user_id, is_active, is_muted from after_change
      except select realm_id, channel_id, user_id, is_active, is_muted from before_change
    ) changed
  ) touched
  on conflict (realm_id, user_id, backend) do update set changes = c.changes + 1;
  return null;
end $$;

do $$
declare
  counted record;
begin
  for counted in
    select source, change from unnest('{subscription_interval,user_settings,muted_user,alert_word}'::text[]) source,
      unnest('{insert,update,delete}'::text[]) change
    union all
    values ('subscription', 'insert'), ('subscription', 'delete')
  loop
    execute format(
      'create trigger %I after %s on %I referencing %s table as changed for each statement execute function count_reader_change()',
      'count_reader_' || counted.change, counted.change, counted.source,
      case counted.change when 'delete' then 'old' else 'new' end);
  end loop;
  for counted in
    select source, change from unnest('{user_group,user_group_member,user_group_subgroup,channel_group_setting}'::text[]) source,
      unnest('{insert,update,delete}'::text[]) change
    union all
    values ('channel', 'insert'), ('channel', 'delete')
  loop
    execute format(
      'create trigger %I after %s on %I referencing %s table as changed for each statement execute function count_list_change(%s)',
      'count_reading_' || counted.change, counted.change, counted.source,
      case counted.change when 'delete' then 'old' else 'new' end, 'reading');
  end loop;
end $$;

create trigger count_reader_update after update on subscription
  referencing old table as before_change new table as after_change
  for each statement execute function count_subscription_change();

create trigger count_reading_update after update on channel for each row
  when ((old.name, old.is_private, old.is_web_public, old.is_history_public, old.is_archived, old.creator_id)
    is distinct from (new.name, new.is_private, new.is_web_public, new.is_history_public, new.is_archived, new.creator_id))
  execute function count_list_change_of_row('reading');

create function count_reading_of_realm() returns trigger language plpgsql as $$
begin
  insert into list_change as c (realm_id, list, backend, changes) values (new.id, 'reading', pg_backend_pid(), 1)
  on conflict (realm_id, list, backend) do update set changes = c.changes + 1;
  return null;
end $$;

-- Purging ends with the row of the organization, which stays.
create trigger count_reading_update after update on realm for each row when (new.data_deleted_at is null)
  execute function count_reading_of_realm();
