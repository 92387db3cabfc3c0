-- When everything that is kept no longer was last deleted. One row.
create table retention_run (
  id boolean primary key default true check (id),
  done_at timestamptz
);

insert into retention_run default values;
