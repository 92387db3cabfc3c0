-- What an organization has chosen, by the settings' names in the API. A setting that is absent was never chosen: the catalogue's
-- default holds (shared/values). Name, description and subdomain have columns of their own.
alter table realm
  add column settings jsonb not null default '{}',
  add column uuid uuid not null default gen_random_uuid(),
  add column deactivated_at timestamptz,
  -- Null: never.
  add column data_deleted_from timestamptz,
  add constraint realm_uuid_is_unique unique (uuid);

update realm set settings = jsonb_strip_nulls(jsonb_build_object(
  'topics_policy', topics_policy,
  'waiting_period_threshold', waiting_period_threshold,
  'new_stream_announcements_stream_id', announcement_channel_id));

alter table realm
  drop column topics_policy,
  drop column waiting_period_threshold,
  drop column announcement_channel_id;

alter table realm
  -- As hot paths read it: from the settings, which are the place to change it.
  add column waiting_period_threshold integer not null
    generated always as (coalesce((settings ->> 'waiting_period_threshold')::integer, 0)) stored;

-- Pictures that an organization has uploaded; absent: the default one is shown.
create table realm_image (
  realm_id bigint not null references realm (id),
  kind text not null check (kind in ('icon', 'logo', 'night_logo')),
  -- Part of the picture's address, so that it may be cached for ever.
  uploaded_at timestamptz not null,
  content_type text not null,
  bytes bytea not null check (octet_length(bytes) <= 1048576),
  primary key (realm_id, kind)
);
