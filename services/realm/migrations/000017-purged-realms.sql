-- Since when nothing is left of an organization but that there was one.
alter table realm add column data_deleted_at timestamptz;
