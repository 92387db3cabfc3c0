-- What is to be done later, of every kind, and who is doing it.
create sequence due_job_lease;

create table due_job (
  realm_id bigint not null,
  kind text not null,
  -- Of the thing that is to be done, among those of its kind.
  id bigint not null,
  -- From when on a replica may take it: its time; once it was taken, when it is tried again should nothing more be heard of it.
  due_at timestamptz not null,
  attempts integer not null default 0,
  -- Of the replica that took it last; null: none has.
  lease bigint,
  primary key (realm_id, kind, id)
);

create index due_job_by_time on due_job (kind, due_at);

create sequence scheduled_message_id;

create table scheduled_message (
  realm_id bigint not null,
  id bigint not null default nextval('scheduled_message_id'),
  user_id bigint not null,
  -- A channel, or the participants of a direct conversation but for the author, who is there only alone.
  channel_id bigint,
  recipient_ids bigint[] not null,
  topic text not null,
  content text not null,
  rendered_content text not null,
  deliver_at timestamptz not null,
  is_read_by_sender boolean not null,
  client_name text not null,
  -- Why it was not sent when it was due.
  failure_message text,
  -- What it became; the row is kept for a while, without its content, so that its author is told when they still change it.
  sent_message_id bigint,
  -- Raised by every edit.
  revision integer not null default 1,
  primary key (realm_id, id),
  check (channel_id is null or recipient_ids = '{}')
);

create index scheduled_message_of_user on scheduled_message (realm_id, user_id, deliver_at, id) where sent_message_id is null;

create sequence reminder_id;

create table reminder (
  realm_id bigint not null,
  id bigint not null default nextval('reminder_id'),
  user_id bigint not null,
  -- Who sends it.
  bot_id bigint not null,
  message_id bigint not null,
  content text not null,
  rendered_content text not null,
  deliver_at timestamptz not null,
  failure_message text,
  primary key (realm_id, id)
);

create index reminder_of_user on reminder (realm_id, user_id, deliver_at, id);
