-- Nobody has written in it for long; the messages service finds that out.
alter table channel add column is_quiet boolean not null default false;
