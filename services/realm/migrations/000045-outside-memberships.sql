-- Which members of groups an outside source (a sign-in provider, a directory) has put in. A member without such a row was put in by hand,
-- and no source removes them.
create table outside_membership (
  realm_id bigint not null,
  group_id bigint not null,
  user_id bigint not null,
  -- As in "oidc:5".
  source text not null,
  primary key (realm_id, group_id, user_id, source),
  foreign key (realm_id, group_id, user_id) references user_group_member (realm_id, group_id, user_id) on delete cascade
);

create index outside_membership_by_user on outside_membership (realm_id, user_id);
