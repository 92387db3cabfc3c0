-- Programs on phones that people have signed in with; what they would need for encrypted notifications is not kept.
create table client_device (
  realm_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  registered_at timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);

create index client_device_by_user on client_device (realm_id, user_id, id);
