-- Mails that are to be sent. A mail that was sent is gone; one that was given up stays for a month, to be looked at.
create sequence mail_job_id;

create table mail_job (
  realm_id bigint not null references realm (id),
  id bigint not null default nextval('mail_job_id'),
  template text not null,
  recipient text not null,
  -- What the template takes. Never a key.
  content jsonb not null,
  created_at timestamptz not null,
  -- When it is to be sent, or to be tried again.
  due_at timestamptz not null,
  attempts integer not null default 0,
  -- Until then a replica is at it, unless it has died.
  leased_until timestamptz,
  last_error text,
  given_up_at timestamptz,
  primary key (realm_id, id)
);

create index mail_job_due on mail_job (due_at) where given_up_at is null;

-- People who want another address, which has to be proved theirs.
create sequence email_change_id;

create table email_change (
  realm_id bigint not null,
  id bigint not null default nextval('email_change_id'),
  user_id bigint not null,
  -- Of the account when it was asked for: with another one by now nothing is changed.
  old_email text not null,
  new_email text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, user_id) references user_account (realm_id, id)
);

create index email_change_of_user on email_change (realm_id, user_id, created_at);
create index email_change_by_age on email_change (created_at);

-- What the mails about it hold: each time one is sent it gets a key of its own, of which there is only the hash.
create table email_change_key (
  realm_id bigint not null,
  key_hash bytea not null,
  email_change_id bigint not null,
  primary key (realm_id, key_hash),
  foreign key (realm_id, email_change_id) references email_change (realm_id, id) on delete cascade
);

create index email_change_key_of_change on email_change_key (realm_id, email_change_id);
