-- What a relay knows the log by, to notice that the log has lost what was published; and what a consumer has handled, so that
-- what is then published again takes effect once.
alter table outbox_progress
  -- Which log the rows were published to; null before the first.
  add column log_epoch text,
  -- The record published last: its place in that log (0 for none), and the first of its rows.
  add column record_seq bigint not null default 0,
  add column record_id bigint not null default 0,
  -- Rows in (refilled_up_to, refill_up_to] are to be published once more; both null when there is nothing to refill.
  add column refilled_up_to bigint,
  add column refill_up_to bigint;

-- Kept a little longer than the outboxes that the events come from.
create table handled_event (
  consumer text not null,
  -- The service that announced it, and the event's id in that service's outbox.
  service text not null,
  event_id bigint not null,
  handled_at timestamptz not null default now(),
  primary key (consumer, service, event_id)
);
create index handled_event_by_age on handled_event (handled_at);
