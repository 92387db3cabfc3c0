-- Sign-ins that have failed and are not in the audit log yet: counted by account and address, so that however many fail, few rows are written.
create table sign_in_failure (
  realm_id bigint not null,
  -- Whose login name was tried; 0: nobody's, or any of too many.
  user_id bigint not null,
  -- Empty: unknown, or any of too many.
  address text not null,
  failures integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (realm_id, user_id, address)
);
