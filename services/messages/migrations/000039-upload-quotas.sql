-- What the files of an organization (user_id 0), or of one account, may take up in place of what is set for all: mib null, anything.
create table upload_quota (
  realm_id bigint not null,
  user_id bigint not null,
  mib bigint check (mib >= 0),
  primary key (realm_id, user_id)
);
