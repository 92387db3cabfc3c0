-- Sets of channels that people choose from when they join.
create table default_channel_group (
  realm_id bigint not null references realm (id),
  id bigint generated always as identity,
  name text not null,
  description text not null,
  primary key (realm_id, id),
  constraint default_channel_group_name_is_unique unique (realm_id, name)
);

create table default_channel_group_channel (
  realm_id bigint not null,
  group_id bigint not null,
  channel_id bigint not null,
  primary key (realm_id, group_id, channel_id),
  foreign key (realm_id, group_id) references default_channel_group (realm_id, id),
  foreign key (realm_id, channel_id) references channel (realm_id, id)
);
