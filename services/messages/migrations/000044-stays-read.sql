-- Why messages stay read for users, as far as this service has heard. A mark as unread that was decided before is not stored after.

-- The subscription version of a channel at which a user last left it.
create table left_channel (
  realm_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  version bigint not null,
  primary key (realm_id, user_id, channel_id)
);

create table archived_channel (
  realm_id bigint not null,
  channel_id bigint not null,
  primary key (realm_id, channel_id)
);

-- Whom a user has muted.
create table muted_sender (
  realm_id bigint not null,
  user_id bigint not null,
  sender_id bigint not null,
  primary key (realm_id, user_id, sender_id)
);

-- Whether messages in one of these channels, or from one of these senders, stay read for the reader; for each channel with the version at which
-- they were last known to join it. Volatile: asked by a statement that has waited for a lock, it sees what was stored meanwhile.
create function stays_read(realm bigint, reader bigint, channels bigint[], joined_versions bigint[], senders bigint[])
returns boolean language plpgsql volatile as $$
begin
  return exists (
    select from unnest(channels, joined_versions) as joined (channel_id, version)
    join left_channel l on l.realm_id = realm and l.user_id = reader and l.channel_id = joined.channel_id and l.version > joined.version
  ) or exists (select from archived_channel where realm_id = realm and channel_id = any(channels))
  or exists (select from muted_sender where realm_id = realm and user_id = reader and sender_id = any(senders));
end $$;
