-- By which transaction the alert words of a person changed last: who knows all words as of a snapshot is told those of the people whose words
-- that snapshot has not seen.
create table alert_word_change (
  realm_id bigint not null,
  user_id bigint not null,
  changed_by bigint not null,
  primary key (realm_id, user_id)
);
create index alert_word_change_by on alert_word_change (realm_id, changed_by);

create function note_alert_words() returns trigger language plpgsql as $$
begin
  insert into alert_word_change as c (realm_id, user_id, changed_by)
  select distinct realm_id, user_id, pg_current_xact_id()::text::bigint from changed order by realm_id, user_id
  on conflict (realm_id, user_id) do update set changed_by = excluded.changed_by;
  return null;
end $$;

create trigger note_words_insert after insert on alert_word referencing new table as changed
  for each statement execute function note_alert_words();
create trigger note_words_update after update on alert_word referencing new table as changed
  for each statement execute function note_alert_words();
create trigger note_words_delete after delete on alert_word referencing old table as changed
  for each statement execute function note_alert_words();
