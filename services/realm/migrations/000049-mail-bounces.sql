-- Addresses of people that a mail server has refused for good. A row counts while the person has that address.
create table mail_bounce (
  realm_id bigint not null,
  user_id bigint not null,
  -- In lower case.
  address text not null,
  reason text not null,
  bounced_at timestamptz not null,
  -- When the person was told, at a sign-in.
  told_at timestamptz,
  primary key (realm_id, user_id)
);
