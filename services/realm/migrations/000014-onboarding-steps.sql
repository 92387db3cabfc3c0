-- Hints for new users that somebody has seen.
create table onboarding_step (
  realm_id bigint not null,
  user_id bigint not null,
  name text not null,
  completed_at timestamptz not null,
  primary key (realm_id, user_id, name),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);
