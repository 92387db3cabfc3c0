-- A scheduled message will link to the file: it does not expire before.
alter table attachment add column kept_until timestamptz;
