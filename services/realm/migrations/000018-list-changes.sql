-- How often each list that POST /register tells many people alike has changed: the sum over the organization's rows of the list.
-- Every backend counts in a row of its own, so no transaction waits for another one's count; what is not in use is folded into
-- the row of backend 0. Triggers count, so no change is ever forgotten.
create table list_change (
  realm_id bigint not null,
  -- users, groups, channels, subscribers, present (of late) or statuses.
  list text not null,
  backend integer not null,
  changes bigint not null,
  primary key (realm_id, list, backend)
) with (fillfactor = 50);

-- The lists that a trigger names change, of every organization that has rows in `changed`.
create function count_list_change() returns trigger language plpgsql as $$
begin
  insert into list_change as c (realm_id, list, backend, changes)
  select touched.realm_id, touched_list, pg_backend_pid(), 1
  from (select distinct realm_id from changed) touched, unnest(tg_argv) touched_list
  on conflict (realm_id, list, backend) do update set changes = c.changes + 1;
  return null;
end $$;

-- The same for one row: for changes that a condition of the trigger picks, and of which few come at once.
create function count_list_change_of_row() returns trigger language plpgsql as $$
begin
  insert into list_change as c (realm_id, list, backend, changes)
  select new.realm_id, touched_list, pg_backend_pid(), 1 from unnest(tg_argv) touched_list
  on conflict (realm_id, list, backend) do update set changes = c.changes + 1;
  return null;
end $$;

do $$
declare
  counted record;
begin
  for counted in
    select source, change, lists from (values
      ('user_account', 'insert', 'users, groups'),
      ('user_account', 'update', 'users'),
      ('user_account', 'delete', 'users, groups, channels, statuses'),
      ('channel', 'insert', 'channels, subscribers'),
      ('channel', 'update', 'channels'),
      ('channel', 'delete', 'channels, subscribers'),
      ('user_presence', 'delete', 'present')
    ) of_one (source, change, lists)
    union all
    select source, change, lists from (values
      ('profile_field', 'users'),
      ('profile_value', 'users'),
      ('user_group', 'groups, channels'),
      ('user_group_member', 'groups, channels'),
      ('user_group_subgroup', 'groups, channels'),
      ('user_group_setting', 'groups'),
      ('channel_group_setting', 'channels'),
      ('user_status', 'statuses')
    ) of_all (source, lists), unnest('{insert,update,delete}'::text[]) change
  loop
    execute format(
      'create trigger %I after %s on %I referencing %s table as changed for each statement execute function count_list_change(%s)',
      'count_' || counted.change, counted.change, counted.source,
      case counted.change when 'delete' then 'old' else 'new' end, counted.lists);
  end loop;
end $$;

create trigger count_standing after update on user_account for each row
  when ((old.role, old.is_active, old.system_bot, old.created_at) is distinct from (new.role, new.is_active, new.system_bot, new.created_at))
  execute function count_list_change_of_row(groups, channels, statuses);

-- Versions only rise, so their sum has changed when one of them has.
create function count_subscribers_change() returns trigger language plpgsql as $$
begin
  insert into list_change as c (realm_id, list, backend, changes)
  select realm_id, 'subscribers', pg_backend_pid(), 1 from (
    select realm_id, subscription_version from after_change
    union all
    select realm_id, -subscription_version from before_change
  ) version group by realm_id having sum(subscription_version) <> 0
  on conflict (realm_id, list, backend) do update set changes = c.changes + 1;
  return null;
end $$;

create trigger count_subscribers after update on channel
  referencing old table as before_change new table as after_change
  for each statement execute function count_subscribers_change();

-- Who comes after a long time. It is less than what counts as of late: clocks of replicas differ.
create trigger count_new_presence after insert on user_presence for each row
  execute function count_list_change_of_row(present);
create trigger count_return after update on user_presence for each row
  when (new.connected_at - old.connected_at not between interval '-1 day' and interval '13 days')
  execute function count_list_change_of_row(present);

-- Statuses tell of people, too, that they hide whether they are there.
create trigger count_new_away after insert on user_settings for each row
  when (new.chosen @> '{"presence_enabled": false}')
  execute function count_list_change_of_row(statuses);
create trigger count_away after update on user_settings for each row
  when (old.chosen -> 'presence_enabled' is distinct from new.chosen -> 'presence_enabled')
  execute function count_list_change_of_row(statuses);

-- Partial, and by id, so that nothing takes them for a lookup by id that the primary key is better for.
-- The last whose waiting period has ended, and everybody's bots.
create index user_account_waiting on user_account (realm_id, created_at) where role = 400;
create index user_account_bots on user_account (realm_id, id) where bot_owner_id is not null;
