-- Bots that a message reached by mentioning them outside of its channel: they have it as if it was received. Such rows are historical ones, too.
alter table personal_flag add column is_called boolean not null default false;
