create sequence invitation_id;
create sequence invitation_link_id;
create sequence mail_job_id;

-- An e-mail invitation: one for each address and time of sending, or one for each address that came by a reusable link.
create table invitation (
  realm_id bigint not null,
  id bigint not null default nextval('invitation_id'),
  email text not null,
  -- The address in lower case.
  email_key text not null,
  referrer_id bigint not null,
  -- The reusable link that it came by; such invitations are listed nowhere.
  link_id bigint,
  invited_as integer not null,
  channel_ids bigint[] not null,
  group_ids bigint[] not null,
  includes_default_channels boolean not null,
  notifies_referrer boolean not null,
  -- Null: the organization's; empty: none.
  welcome_text text,
  created_at timestamptz not null,
  -- For how long each mail makes it valid, and until when that is; null: for ever.
  valid_minutes bigint,
  expires_at timestamptz,
  -- accepting: an account is being made of it.
  state text not null default 'open' check (state in ('open', 'accepting', 'used', 'revoked')),
  accepting_since timestamptz,
  -- Of whoever accepted it.
  account_id bigint,
  primary key (realm_id, id)
);

create index invitation_open on invitation (realm_id, id) where state in ('open', 'accepting');
create index invitation_open_of_referrer on invitation (realm_id, referrer_id) where state in ('open', 'accepting');
create index invitation_open_of_email on invitation (realm_id, email_key) where state in ('open', 'accepting');
create unique index invitation_open_of_link on invitation (realm_id, link_id, email_key)
  where link_id is not null and state in ('open', 'accepting');
create index invitation_accepting on invitation (accepting_since) where state = 'accepting';

-- A reusable link.
create table invitation_link (
  realm_id bigint not null,
  id bigint not null default nextval('invitation_link_id'),
  referrer_id bigint not null,
  invited_as integer not null,
  channel_ids bigint[] not null,
  group_ids bigint[] not null,
  includes_default_channels boolean not null,
  -- Null: the organization's; empty: none.
  welcome_text text,
  created_at timestamptz not null,
  -- Null: never.
  expires_at timestamptz,
  is_revoked boolean not null default false,
  primary key (realm_id, id)
);

create index invitation_link_open on invitation_link (realm_id, id) where not is_revoked;

-- What lets somebody in. Of the key itself there are only its hash and its salt: with the service's secret it can be shown again.
create table invitation_key (
  realm_id bigint not null,
  key_hash bytea not null,
  salt bytea not null,
  -- Exactly one of them: what the key is of.
  invitation_id bigint,
  link_id bigint,
  created_at timestamptz not null,
  primary key (realm_id, key_hash),
  foreign key (realm_id, invitation_id) references invitation (realm_id, id),
  foreign key (realm_id, link_id) references invitation_link (realm_id, id),
  check (num_nonnulls(invitation_id, link_id) = 1)
);

create index invitation_key_of_invitation on invitation_key (realm_id, invitation_id, created_at desc);
create index invitation_key_of_link on invitation_key (realm_id, link_id, created_at desc);

-- Who has ever invited. Held by whoever invites until it is done, so that the end of an account misses nothing of theirs.
create table inviter (
  realm_id bigint not null,
  user_id bigint not null,
  -- The account was out of use, when this was last heard of.
  is_ended boolean not null default false,
  primary key (realm_id, user_id)
);

-- How many mails with invitations an organization has sent on a day of UTC.
create table invitation_count (
  realm_id bigint not null,
  day date not null,
  mails integer not null,
  primary key (realm_id, day)
);

-- Mails that are to be sent. A mail that was sent is gone; one that was given up stays, to be looked at.
create table mail_job (
  realm_id bigint not null,
  id bigint not null default nextval('mail_job_id'),
  template text not null,
  recipient text not null,
  -- What the template takes. Never a key.
  content jsonb not null,
  -- The invitation that it is about.
  invitation_id bigint,
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
create index mail_job_of_invitation on mail_job (realm_id, invitation_id);
