alter table realm
  -- Days for which new members are not yet full ones.
  add column waiting_period_threshold integer not null default 0 check (waiting_period_threshold >= 0);

alter table user_group
  -- Null: an anonymous group, the value of exactly one setting.
  alter column name drop not null,
  alter column name_key drop not null,
  add column is_deactivated boolean not null default false,
  add check ((name is null) = (name_key is null)),
  add check (name is not null or not is_system);

-- From the inside out: the groups that someone, or a group, is in.
create index user_group_member_by_user on user_group_member (realm_id, user_id, group_id);
create index user_group_subgroup_by_subgroup on user_group_subgroup (realm_id, subgroup_id, group_id);

-- Who may do what, by the setting's name in the catalogue (shared/access): the members of a group. A setting that is
-- absent has its default; channel.can_send_message_group_id is the one that is stored elsewhere, as sending reads it.

create table realm_group_setting (
  realm_id bigint not null references realm (id),
  name text not null,
  group_id bigint not null,
  primary key (realm_id, name),
  foreign key (realm_id, group_id) references user_group (realm_id, id)
);

create table channel_group_setting (
  realm_id bigint not null,
  channel_id bigint not null,
  name text not null,
  group_id bigint not null,
  primary key (realm_id, channel_id, name),
  foreign key (realm_id, channel_id) references channel (realm_id, id),
  foreign key (realm_id, group_id) references user_group (realm_id, id)
);

create table user_group_setting (
  realm_id bigint not null,
  user_group_id bigint not null,
  name text not null,
  group_id bigint not null,
  primary key (realm_id, user_group_id, name),
  foreign key (realm_id, user_group_id) references user_group (realm_id, id),
  foreign key (realm_id, group_id) references user_group (realm_id, id)
);

create index realm_group_setting_by_group on realm_group_setting (realm_id, group_id);
create index channel_group_setting_by_group on channel_group_setting (realm_id, group_id);
create index user_group_setting_by_group on user_group_setting (realm_id, group_id);
create index channel_by_send_group on channel (realm_id, can_send_message_group_id);
