-- The scheduler keeps the alert words of an organization by the number of their changes.
create trigger count_words_insert after insert on alert_word referencing new table as changed
  for each statement execute function count_list_change('alert_words');
create trigger count_words_update after update on alert_word referencing new table as changed
  for each statement execute function count_list_change('alert_words');
create trigger count_words_delete after delete on alert_word referencing old table as changed
  for each statement execute function count_list_change('alert_words');
