-- Of which release the server is, as the gateway said last that began to serve; null before the first. One row.
create table release (
  id boolean primary key default true check (id),
  version text,
  feature_level integer,
  noted_at timestamptz
);

insert into release default values;
