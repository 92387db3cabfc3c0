-- What rendered texts were made of: the md5 of the renderer's version and the source. Null, or of something else: a release
-- before this one wrote the source, or the renderer has changed; the service renders such texts again.
alter table realm add column rendered_from text;
alter table channel add column rendered_from text;
alter table channel_folder add column rendered_from text;
alter table profile_value add column rendered_value text, add column rendered_from text;
