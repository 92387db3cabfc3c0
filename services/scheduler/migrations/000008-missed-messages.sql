-- A message of which a person is to get a mail, until the person's job (due_job) has made one of it.
create table missed_message (
  realm_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  -- Names the conversation in which the message was sent.
  conversation text not null,
  -- Why the person is told of it.
  trigger text not null,
  missed_at timestamptz not null,
  primary key (realm_id, user_id, message_id)
);

create sequence mail_job_id;

-- Mails that are to be sent. A mail that was sent is gone; one that was given up stays, to be looked at.
create table mail_job (
  realm_id bigint not null,
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
