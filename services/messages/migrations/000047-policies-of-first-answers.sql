-- The part of the first answer to a key that few answers have: the policy for the topic that the send gave its sender. It is known only after
-- the row of the key was written by the same statement.
create table send_key_policy (
  realm_id bigint not null,
  sender_id bigint not null,
  key text not null,
  policy smallint not null,
  primary key (realm_id, sender_id, key),
  foreign key (realm_id, sender_id, key) references send_key on delete cascade
);
