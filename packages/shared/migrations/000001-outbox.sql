-- Every change and its event share one transaction: this table is how. A relay publishes the rows after commit.
create table outbox (
  id bigint generated always as identity primary key,
  realm_id bigint not null,
  kind text not null,
  -- The event's payload as JSON text, published as it is.
  payload text not null,
  created_at timestamptz not null default now(),
  -- The log record the row is (to be) published in: the id of that record's first row. Set before publishing, so that a
  -- repeated publish is the same record with the same Nats-Msg-Id.
  record_id bigint,
  published_at timestamptz
);

create index outbox_unclaimed on outbox (id) where record_id is null;
create index outbox_claimed on outbox (record_id) where record_id is not null and published_at is null;
create index outbox_published on outbox (published_at) where published_at is not null;
