-- What bots keep between two runs: texts by key, which only the bot's code understands.
create table bot_storage (
  realm_id bigint not null,
  user_id bigint not null,
  key text not null check (key <> ''),
  value text not null,
  primary key (realm_id, user_id, key),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);
