-- Which account was made of which invitation: one of each, however often it is accepted.
create table invited_account (
  realm_id bigint not null,
  invitation_id bigint not null,
  user_id bigint not null,
  primary key (realm_id, invitation_id),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);

create index invited_account_of_user on invited_account (realm_id, user_id);
