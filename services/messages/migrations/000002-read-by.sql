-- Others than the sender for whom a message starts as read: who made the change that a notice tells of.
alter table message add column read_by_ids bigint[] not null default '{}';
