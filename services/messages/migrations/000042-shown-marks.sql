-- Whether clients have it in their state: it is hidden and shown with access to its channel (src/access).
alter table topic_policy add column is_shown boolean not null default true;
alter table personal_flag add column is_star_shown boolean not null default true;
