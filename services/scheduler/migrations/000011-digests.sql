-- How far each organization's last digest has been planned.
create table digest_run (
  realm_id bigint primary key,
  -- The day that it is of.
  day date not null,
  -- People up to this id have their mail.
  after_user_id bigint not null,
  is_done boolean not null
);
