-- Edits tell who has read a message: of new messages, few have passed them.
create index read_watermark_of_message on read_watermark (realm_id, message_id);
