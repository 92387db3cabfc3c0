-- The schema of invitations comes with their first feature; until then there is only the outbox.
select 1;
