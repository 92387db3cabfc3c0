-- Replicas of messages answer from what realm has told them while they hold leases, see src/leases. A replica is a holder until `ends_at`, by this
-- server's clock, which it postpones.
create table lease_holder (
  id text primary key,
  ends_at timestamptz not null
);

-- The key of an advisory lock: a shared one of every transaction that changes what is leased of an organization.
create function leases_of(realm_id bigint) returns bigint language sql immutable as $$
  select hashtextextended('leases of ' || realm_id, 0)
$$;

-- The key of an advisory lock: a shared one of each renewal. Who has an exclusive one lets all leases end.
create function lease_holders() returns bigint language sql immutable as $$
  select hashtextextended('lease holders', 0)
$$;

-- For so long a replica is a holder without asking again. So changes wait no longer for one that does not answer.
create function holding_ms() returns integer language sql immutable as $$
  select 2000
$$;

-- For so long `holder` may use leases, counted from the time at which it asked. No row: it may not, and has none. `has_begun`: it was no holder until
-- now, by this server's clock, so nobody has told it what changed.
create function renew_lease(holder text) returns table (lasts_ms integer, has_begun boolean) language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock_shared(lease_holders()) then
    return;
  end if;
  lasts_ms := holding_ms();
  has_begun := not exists (select from lease_holder where id = holder and ends_at > clock_timestamp());
  insert into lease_holder (id, ends_at) values (holder, clock_timestamp() + make_interval(secs => lasts_ms / 1000.0))
  on conflict (id) do update set ends_at = excluded.ends_at;
  -- Two that come back at once do not wait for each other.
  delete from lease_holder where id in (
    select id from lease_holder where ends_at < clock_timestamp() - interval '1 minute' for update skip locked);
  return next;
end $$;

-- Waits until nobody has a lease; nobody gets one before the end of the transaction.
create function await_end_of_leases() returns void language plpgsql as $$
declare
  longest double precision := holding_ms() / 1000.0;
begin
  perform pg_advisory_xact_lock(lease_holders());
  if current_setting('transaction_isolation') = 'read committed' then
    -- After this server's clock was set back, it takes no longer, and that once.
    perform pg_sleep(least(max(extract(epoch from ends_at - clock_timestamp())), longest)) from lease_holder
    where ends_at > clock_timestamp() having count(*) > 0;
    delete from lease_holder;
  else
    perform pg_sleep(longest);
  end if;
  perform set_config('parley.has_awaited_leases', 'on', true);
end $$;

-- What is leased about users changes, or about all of the organization (null). A transaction of realm is told so, and tells the holders before it commits.
-- Any other waits here, and so does one that does not see who has become a holder since its beginning.
create function end_leases(of_realm bigint, of_users bigint[]) returns void language plpgsql as $$
declare
  tells boolean := coalesce(current_setting('parley.tells_lease_holders', true) = 'on', false);
  sees_holders boolean := current_setting('transaction_isolation') = 'read committed';
  asked_at timestamptz;
  holders json;
begin
  perform pg_advisory_xact_lock_shared(leases_of(of_realm));
  if not tells and current_setting('parley.lease_holders_must_be_told', true) = 'on' then
    raise exception 'a change of what is leased outside of a transaction that tells the holders';
  end if;
  -- The time is from before what the statement sees: who was no holder then begins anew, and gets no lease of this organization before the end of the
  -- transaction.
  asked_at := clock_timestamp();
  select json_agg(id) into holders from lease_holder where ends_at > asked_at;
  if sees_holders and holders is null then
    return;
  elsif sees_holders and tells then
    raise info 'before commit' using detail = json_build_object('realmId', of_realm, 'userIds', of_users, 'holders', holders);
  elsif current_setting('parley.has_awaited_leases', true) is distinct from 'on' then
    perform await_end_of_leases();
  end if;
end $$;

-- All that is leased is counted, but for the validity of keys. Row 0 of a count has what was counted before.
create function end_leases_of_lists() returns trigger language plpgsql as $$
begin
  perform end_leases(realm_id, null) from (
    select distinct realm_id from changed where backend <> 0 and list in ('users', 'reading')
  ) touched;
  return null;
end $$;

create function end_leases_of_readers() returns trigger language plpgsql as $$
begin
  perform end_leases(realm_id, user_ids) from (
    select realm_id, array_agg(distinct user_id) as user_ids from changed where backend <> 0 group by realm_id
  ) touched;
  return null;
end $$;

create function end_leases_of_keys() returns trigger language plpgsql as $$
begin
  perform end_leases(realm_id, user_ids) from (
    select realm_id, array_agg(distinct user_id) as user_ids from (
      select id, realm_id, user_id, revoked_at, expires_at from before_change
      except
      select id, realm_id, user_id, revoked_at, expires_at from after_change
    ) changed group by realm_id
  ) touched;
  return null;
end $$;

create function end_leases_of_deleted_keys() returns trigger language plpgsql as $$
begin
  perform end_leases(realm_id, user_ids) from (
    select realm_id, array_agg(distinct user_id) as user_ids from before_change
    where revoked_at is null and coalesce(expires_at > now(), true) group by realm_id
  ) touched;
  return null;
end $$;

create trigger end_leases_insert after insert on list_change referencing new table as changed
  for each statement execute function end_leases_of_lists();
create trigger end_leases_update after update on list_change referencing new table as changed
  for each statement execute function end_leases_of_lists();
create trigger end_leases_insert after insert on reader_change referencing new table as changed
  for each statement execute function end_leases_of_readers();
create trigger end_leases_update after update on reader_change referencing new table as changed
  for each statement execute function end_leases_of_readers();
create trigger end_leases_update after update on api_key referencing old table as before_change new table as after_change
  for each statement execute function end_leases_of_keys();
create trigger end_leases_delete after delete on api_key referencing old table as before_change
  for each statement execute function end_leases_of_deleted_keys();

-- Whether guests may see all users was no part of any version: it was read with each request.
do $$
declare
  change text;
begin
  foreach change in array '{insert,update,delete}'::text[] loop
    execute format(
      'create trigger %I after %s on realm_group_setting referencing %s table as changed for each statement execute function count_list_change(%s)',
      'count_reading_' || change, change, case change when 'delete' then 'old' else 'new' end, 'reading');
  end loop;
end $$;
