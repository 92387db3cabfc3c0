-- Reads the rows without blocking writers, so that the next step need not read them.
alter table outbox validate constraint outbox_bound;
