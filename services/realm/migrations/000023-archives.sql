alter table realm
  -- It comes out of an archive, and is not all there yet; what breaks off is deleted like a closed organization's data, and its row, too.
  add column import_began_at timestamptz;

-- Archives that administrators had made of what may be shared of their organization.
create table data_export (
  realm_id bigint not null references realm (id),
  id bigint generated always as identity,
  acting_user_id bigint not null,
  -- With the private things of those who have consented, or of nobody.
  kind text not null check (kind in ('public', 'consented')),
  created_at timestamptz not null,
  attempts integer not null default 0,
  -- Until then a gateway is at it, unless it has died.
  leased_until timestamptz,
  -- Where the archive is in the store of uploaded files, and how large; null: there is none yet, or none any more.
  path_id text,
  size bigint,
  completed_at timestamptz,
  failed_at timestamptz,
  deleted_at timestamptz,
  primary key (realm_id, id)
);

create index data_export_pending on data_export (created_at) where completed_at is null and failed_at is null;
