-- The lists that an organization keeps for all its members. Every change of one holds the organization's row, so that changes
-- follow one another and the events that carry a whole list do, too.

create table linkifier (
  realm_id bigint not null references realm (id),
  id bigint generated always as identity,
  -- RE2's dialect; at most 500 characters, so that the index below has room for it.
  pattern text not null,
  -- RFC 6570; its variables are the pattern's named groups.
  url_template text not null,
  -- Earlier ones win.
  position integer not null,
  primary key (realm_id, id),
  constraint linkifier_pattern_is_unique unique (realm_id, pattern)
);

create table playground (
  realm_id bigint not null references realm (id),
  id bigint generated always as identity,
  name text not null,
  pygments_language text not null,
  url_template text not null,
  primary key (realm_id, id),
  constraint playground_is_unique unique (realm_id, pygments_language, name)
);

create table channel_folder (
  realm_id bigint not null references realm (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null,
  description text not null,
  rendered_description text not null,
  position integer not null,
  creator_id bigint,
  is_archived boolean not null default false,
  created_at timestamptz not null,
  primary key (realm_id, id),
  -- Archived folders keep their names, so that they can come back.
  constraint channel_folder_name_is_unique unique (realm_id, name_key)
);

alter table channel add constraint channel_folder_exists
  foreign key (realm_id, folder_id) references channel_folder (realm_id, id);
create index channel_by_folder on channel (realm_id, folder_id) where folder_id is not null;

-- Domains of the addresses with which people may join, where an organization restricts them.
create table allowed_domain (
  realm_id bigint not null references realm (id),
  id bigint generated always as identity,
  domain text not null,
  allows_subdomains boolean not null,
  primary key (realm_id, id),
  constraint allowed_domain_is_unique unique (realm_id, domain)
);

create table profile_field (
  realm_id bigint not null references realm (id),
  id bigint generated always as identity,
  -- 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 people, 7 external account, 8 pronouns.
  type smallint not null check (type between 1 and 8),
  name text not null,
  hint text not null,
  -- JSON, as the API shows it; empty when the type needs none.
  field_data text not null,
  position bigint not null,
  is_in_summary boolean not null,
  is_required boolean not null,
  is_editable_by_user boolean not null,
  primary key (realm_id, id),
  constraint profile_field_name_is_unique unique (realm_id, name)
);

create table profile_value (
  realm_id bigint not null,
  user_id bigint not null,
  field_id bigint not null,
  -- People are a JSON list of ids.
  value text not null,
  primary key (realm_id, user_id, field_id),
  foreign key (realm_id, user_id) references user_account (realm_id, id),
  foreign key (realm_id, field_id) references profile_field (realm_id, id) on delete cascade
);

create index profile_value_by_field on profile_value (realm_id, field_id, user_id);

create table custom_emoji (
  realm_id bigint not null references realm (id),
  id bigint generated always as identity,
  name text not null,
  author_id bigint,
  -- Random, as images are served to whoever knows the address.
  file_name text not null,
  -- Null: the image does not move.
  still_file_name text,
  is_deactivated boolean not null default false,
  created_at timestamptz not null,
  primary key (realm_id, id)
);

-- Old messages keep showing deactivated emoji; only one of a name is in use.
create unique index custom_emoji_name_is_unique on custom_emoji (realm_id, name) where not is_deactivated;

-- Kept here and not on a disk: every replica can serve every image, and a backup of the database has them all. They are small.
create table custom_emoji_image (
  realm_id bigint not null references realm (id),
  file_name text not null,
  content_type text not null,
  bytes bytea not null check (octet_length(bytes) <= 262144),
  primary key (realm_id, file_name)
);
