-- The subscription version of a channel at which a user last left it. A mark as unread that was decided before is not stored after.
create table left_channel (
  realm_id bigint not null,
  user_id bigint not null,
  channel_id bigint not null,
  version bigint not null,
  primary key (realm_id, user_id, channel_id)
);

-- Whether the reader has left one of these channels after the version at which they were last known to join it. Volatile: asked by a statement
-- that has waited for a lock, it sees what was stored meanwhile.
create function has_left(realm bigint, reader bigint, channels bigint[], joined_versions bigint[]) returns boolean language plpgsql volatile as $$
begin
  return exists (
    select from unnest(channels, joined_versions) as joined (channel_id, version)
    join left_channel l on l.realm_id = realm and l.user_id = reader and l.channel_id = joined.channel_id and l.version > joined.version);
end $$;
