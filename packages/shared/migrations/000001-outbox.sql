-- Every change and its event share one transaction: this table is how. A relay publishes the rows after commit. They stay as
-- they were written: what has been published is told by outbox_progress, so publishing costs no row versions.
create table outbox (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  kind text not null,
  -- The event's payload as JSON text, published as it is.
  payload text not null,
  created_at timestamptz not null default now()
);

-- How far the relay has come. One row.
create table outbox_progress (
  id boolean primary key default true check (id),
  -- Every row up to here is published, but for the gaps and what is pending.
  published_up_to bigint not null default 0,
  -- Ids below it that were not visible yet: their transactions are running, or were rolled back.
  gaps bigint[] not null default '{}',
  -- The records being published, each a list of ids, chosen before publishing: whoever takes over publishes the very same.
  pending jsonb not null default '[]'
);

insert into outbox_progress default values;
