-- The existing table becomes the first partition of a new table of the same name. The previous version needs no change: it uses the name only.
do $$
declare
  bound bigint;
  drawn record;
begin
  lock table outbox in access exclusive mode;
  select last_value, is_called into drawn from outbox_id_seq;
  select substring(pg_get_constraintdef(oid) from '\d+') into bound from pg_constraint
  where conrelid = 'outbox'::regclass and conname = 'outbox_bound';

  alter table outbox alter column id drop identity;
  alter table outbox rename to outbox_first;
  alter index outbox_pkey rename to outbox_first_pkey;

  create table outbox (
    id bigint generated always as identity primary key,
    realm_id bigint not null,
    kind text not null,
    -- The event's payload as JSON text, published as it is.
    payload text not null,
    created_at timestamptz not null default now(),
    transaction_id xid8 default pg_current_xact_id()
  ) partition by range (id);
  perform setval('outbox_id_seq', drawn.last_value, drawn.is_called);
  execute format('alter table outbox attach partition outbox_first for values from (minvalue) to (%s)', bound);
  alter table outbox_first drop constraint outbox_bound;
  -- For ids without a partition, as under the previous version, which creates none.
  create table outbox_rest partition of outbox default;
end
$$;

-- The partitions in order of their ids, without outbox_rest.
create function outbox_partitions() returns table (name regclass, end_id bigint)
language sql stable set search_path = public, pg_temp as $$
  select c.oid::regclass, substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \('(\d+)'\)$re$)::bigint as end_id
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'outbox'::regclass and c.oid <> 'outbox_rest'::regclass
  order by end_id
$$;

-- Creates a partition for a day's ids, by the recent average, when fewer ids than that are left. Returns whether there is a next step: if outbox_rest has
-- rows, their upper bound is declared first, then validated without blocking writers, and the partition begins at this bound; otherwise PostgreSQL would
-- read these rows under an exclusive lock. The lock timeout bounds how long writers are blocked.
create function create_outbox_partition() returns boolean
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
  drawn_id bigint := (select last_value from outbox_id_seq);
  begin_id bigint := (select max(end_id) from outbox_partitions());
  oldest record;
  size bigint := 1048576;
  bound record;
  name text;
begin
  select id, created_at into oldest from outbox order by id limit 1;
  if found then
    size := greatest(size, (drawn_id - oldest.id) / greatest(1, extract(epoch from now() - oldest.created_at) / 86400));
  end if;
  if begin_id - drawn_id >= size then
    return false;
  end if;

  select substring(pg_get_constraintdef(oid) from '\d+')::bigint as id, convalidated as is_valid into bound
  from pg_constraint where conrelid = 'outbox_rest'::regclass and conname = 'outbox_rest_bound';
  if bound.id is null and exists (select from outbox_rest) then
    -- With enough distance from ids that are drawn before the last step.
    execute format('alter table outbox_rest add constraint outbox_rest_bound check (id < %s) not valid',
      case when begin_id - drawn_id > size / 2 then begin_id else drawn_id + size end);
    return true;
  elsif not bound.is_valid then
    alter table outbox_rest validate constraint outbox_rest_bound;
    return true;
  end if;

  begin_id := coalesce(bound.id, begin_id);
  name := 'outbox_' || begin_id;
  execute format('create table %I (like outbox including defaults)', name);
  execute format('alter table outbox attach partition %I for values from (%s) to (%s)',
    name, begin_id, greatest(begin_id, drawn_id) + size);
  alter table outbox_rest drop constraint if exists outbox_rest_bound;
  return false;
-- The second: a row was inserted into outbox_rest meanwhile.
exception when lock_not_available or check_violation then
  return false;
end
$$;

-- Drops the first partition if all of its events are published, and older than the retention of the log; the last partition stays. Returns whether it did.
-- The lock timeout bounds how long writers are blocked.
create function drop_outbox_partition() returns boolean
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
  first record;
  newest timestamptz;
begin
  select name, end_id into first from outbox_partitions() order by end_id limit 1;
  if first.end_id = (select max(end_id) from outbox_partitions())
    or first.end_id > (select least(published_up_to + 1, (select min(gap) from unnest(gaps) gap)) from outbox_progress) then
    return false;
  end if;
  execute format('select created_at from %s order by id desc limit 1', first.name) into newest;
  if newest > now() - interval '7 days' then
    return false;
  end if;
  execute format('drop table %s', first.name);
  return true;
exception when lock_not_available then
  return false;
end
$$;
