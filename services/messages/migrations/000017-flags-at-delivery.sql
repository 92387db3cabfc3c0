-- Edits do not tell any more who has read a message: whoever delivers them asks about those who get them.
drop index read_watermark_of_message;
