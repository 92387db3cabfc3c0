-- The schema of scheduled work comes with their first feature; until then there is only the outbox.
select 1;
