-- Which transaction an event is of: a snapshot of this database tells whether it holds what the event tells. The column is added without
-- its default, so that no row is written anew; rows from before have none.
alter table outbox add column transaction_id xid8;
alter table outbox alter column transaction_id set default pg_current_xact_id();
