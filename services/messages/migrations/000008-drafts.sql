create sequence draft_id;
create sequence saved_snippet_id;

create table draft (
  realm_id bigint not null,
  user_id bigint not null,
  id bigint not null default nextval('draft_id'),
  -- Where it is to go: a channel, or users, or nowhere yet.
  channel_id bigint,
  -- Ascending; the author is among them only when nobody else is.
  recipient_ids bigint[] not null,
  topic text not null,
  content text not null,
  edited_at timestamptz not null,
  primary key (realm_id, user_id, id),
  check (channel_id is null or recipient_ids = '{}')
);

create index draft_by_edit on draft (realm_id, user_id, edited_at desc, id desc);

create table saved_snippet (
  realm_id bigint not null,
  user_id bigint not null,
  id bigint not null default nextval('saved_snippet_id'),
  title text not null,
  content text not null,
  created_at timestamptz not null,
  primary key (realm_id, user_id, id)
);

-- Up to which of realm's events (by its number) drafts were dropped because their author wanted none to be kept here: an event that
-- is given out again must not drop what was written since.
create table draft_drop (
  realm_id bigint not null,
  user_id bigint not null,
  event_number bigint not null,
  primary key (realm_id, user_id)
);
