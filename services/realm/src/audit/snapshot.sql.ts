import { onlyRow, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

/** Subjects of administrative acts. An organization's id is that of its realm. */
export type SubjectKind = 'organization' | 'user' | 'channel' | 'group';

/** Recorded values of subjects by field, by the subjects' ids; without secrets. */
export type Snapshot = ReadonlyMap<number, ReadonlyMap<string, unknown>>;

/** SQL: the holders of a permission, from the row called `s` that points to a group. */
const HOLDERS = `(select case when g.name is not null then jsonb_build_object('group', g.id) else jsonb_build_object(
    'members', coalesce((select jsonb_agg(m.user_id order by m.user_id) from user_group_member m
      where m.realm_id = g.realm_id and m.group_id = g.id), '[]'),
    'groups', coalesce((select jsonb_agg(n.subgroup_id order by n.subgroup_id) from user_group_subgroup n
      where n.realm_id = g.realm_id and n.group_id = g.id), '[]')) end
  from user_group g where g.realm_id = s.realm_id and g.id = s.group_id)`;

const ORGANIZATION = `
  select r.id, f.key, f.value from realm r, jsonb_each(jsonb_build_object('name', r.name, 'subdomain', r.subdomain,
    'description', r.description, 'is_deactivated', r.is_deactivated, 'data_deleted_from', r.data_deleted_from)) f where r.id = $1
  union all select r.id, 'setting.' || f.key, f.value from realm r, jsonb_each(r.settings) f where r.id = $1
  union all select s.realm_id, 'permission.' || s.name, ${HOLDERS} from realm_group_setting s where s.realm_id = $1
  union all select d.realm_id, 'new_accounts.' || f.key, f.value from realm_user_settings_defaults d, jsonb_each(d.chosen) f
    where d.realm_id = $1
  union all select i.realm_id, 'image.' || i.kind, to_jsonb(i.uploaded_at) from realm_image i where i.realm_id = $1
  union all select l.realm_id, 'linkifier.' || l.id, to_jsonb(l) - '{realm_id,id}'::text[] from linkifier l where l.realm_id = $1
  union all select p.realm_id, 'playground.' || p.id, to_jsonb(p) - '{realm_id,id}'::text[] from playground p where p.realm_id = $1
  union all select a.realm_id, 'allowed_domain.' || a.id, to_jsonb(a) - '{realm_id,id}'::text[] from allowed_domain a
    where a.realm_id = $1
  union all select p.realm_id, 'profile_field.' || p.id, to_jsonb(p) - '{realm_id,id}'::text[] from profile_field p
    where p.realm_id = $1
  union all select e.realm_id, 'emoji.' || e.id, jsonb_build_object('name', e.name, 'is_deactivated', e.is_deactivated)
    from custom_emoji e where e.realm_id = $1
  union all select c.realm_id, 'channel_folder.' || c.id, to_jsonb(c) - '{realm_id,id,name_key,rendered_description,rendered_from}'::text[]
    from channel_folder c where c.realm_id = $1
  union all select c.realm_id, 'default_channel.' || c.id, 'true'::jsonb from channel c where c.realm_id = $1 and c.is_default
  union all select g.realm_id, 'default_channel_group.' || g.id, jsonb_build_object('name', g.name, 'description', g.description,
      'channels', coalesce((select jsonb_agg(c.channel_id order by c.channel_id) from default_channel_group_channel c
        where c.realm_id = g.realm_id and c.group_id = g.id), '[]'))
    from default_channel_group g where g.realm_id = $1
  union all select o.realm_id, 'oidc_provider.' || o.id, jsonb_strip_nulls(to_jsonb(o) - '{realm_id,id,sealed_secret}'::text[]
      || jsonb_build_object('secret_digest', left(encode(sha256(o.sealed_secret), 'hex'), 12)))
    from oidc_provider o where o.realm_id = $1
  union all select e.realm_id, 'data_export.' || e.id, to_jsonb(e.kind) from data_export e where e.realm_id = $1
  union all select d.realm_id, 'ldap.' || f.key, f.value from ldap_directory d, jsonb_each(to_jsonb(d) - '{realm_id,bind_password}'::text[]
      || jsonb_build_object('password_digest', left(encode(sha256(d.bind_password), 'hex'), 12))) f where d.realm_id = $1
  union all select t.realm_id, 'scim_token.' || t.id, jsonb_build_object('name', t.name,
      'digest', left(encode(t.token_hash, 'hex'), 12), 'is_revoked', t.revoked_at is not null)
    from scim_token t where t.realm_id = $1
  union all select r.realm_id, 'scim_role.' || r.group_name, to_jsonb(r.role) from scim_role r where r.realm_id = $1`;

/** Includes a person's bots. Passwords, configurations and webhooks' addresses are digests, which show that they changed. */
const USER = `
  select a.id, f.key, f.value from user_account a
  left join bot b on b.realm_id = a.realm_id and b.user_id = a.id
  left join bot_service w on w.realm_id = a.realm_id and w.user_id = a.id,
  jsonb_each(jsonb_strip_nulls(jsonb_build_object('email', a.delivery_email, 'full_name', a.full_name, 'role', a.role,
    'is_active', a.is_active, 'bot_type', a.bot_type, 'bot_owner', a.bot_owner_id,
    'may_create_users', a.may_create_users, 'may_change_emails', a.may_change_emails,
    'password_digest', left(encode(sha256(convert_to(a.password_hash, 'UTF8')), 'hex'), 12),
    'sends_to', b.default_sending_channel_id, 'hears_of', b.default_events_channel_id,
    'hears_all_public_channels', b.hears_all_public_channels,
    'config_digest', left(encode(sha256(convert_to(b.config_data::text, 'UTF8')), 'hex'), 12),
    'webhook_host', substring(w.payload_url from '^[^:]+://(?:[^/?#@]*@)?([^/?#@]+)'),
    'webhook_digest', left(encode(sha256(convert_to(w.payload_url, 'UTF8')), 'hex'), 12),
    'webhook_interface', w.interface))) f
  where a.realm_id = $1 and (a.id = any($2) or a.bot_owner_id = any($2))
  union all select k.user_id, 'key.' || k.id, to_jsonb(case when k.revoked_at is not null then 'revoked' when a.is_active then 'in use' else 'suspended' end)
    from api_key k join user_account a on a.realm_id = k.realm_id and a.id = k.user_id
    where k.realm_id = $1 and (a.id = any($2) or a.bot_owner_id = any($2))
  union all select i.user_id, 'identity.' || left(encode(sha256(convert_to(i.issuer || ' ' || i.subject, 'UTF8')), 'hex'), 12),
    to_jsonb(i.issuer) from oidc_identity i where i.realm_id = $1 and i.user_id = any($2)
  union all select v.user_id, 'profile.' || v.field_id, to_jsonb(v.value) from profile_value v
    where v.realm_id = $1 and v.user_id = any($2)
  union all select s.user_id, f.key, f.value from scim_user s, jsonb_each(jsonb_strip_nulls(jsonb_build_object(
    'scim_user_name', s.user_name, 'scim_external_id', s.external_id, 'scim_is_removed', nullif(s.is_removed, false)))) f
    where s.realm_id = $1 and s.user_id = any($2)`;

const CHANNEL = `
  select c.id, f.key, f.value from channel c, jsonb_each(to_jsonb(c) - '{realm_id,id,name_key,rendered_description,rendered_from,creator_id,
    can_send_message_group_id,subscription_version,subscriber_count,is_quiet,created_at}'::text[]) f
  where c.realm_id = $1 and c.id = any($2)
  union all select s.id, 'permission.can_send_message_group', ${HOLDERS}
    from (select realm_id, id, can_send_message_group_id as group_id from channel) s where s.realm_id = $1 and s.id = any($2)
  union all select s.channel_id, 'permission.' || s.name, ${HOLDERS} from channel_group_setting s
    where s.realm_id = $1 and s.channel_id = any($2)`;

const GROUP = `
  select g.id, f.key, f.value from user_group g, jsonb_each(jsonb_build_object('name', g.name, 'description', g.description,
    'is_deactivated', g.is_deactivated)) f where g.realm_id = $1 and g.id = any($2)
  union all select m.group_id, 'member.' || m.user_id, 'true'::jsonb from user_group_member m
    where m.realm_id = $1 and m.group_id = any($2)
  union all select n.group_id, 'subgroup.' || n.subgroup_id, 'true'::jsonb from user_group_subgroup n
    where n.realm_id = $1 and n.group_id = any($2)
  union all select s.user_group_id, 'permission.' || s.name, ${HOLDERS} from user_group_setting s
    where s.realm_id = $1 and s.user_group_id = any($2)
  union all select s.group_id, f.key, f.value from scim_group s, jsonb_each(jsonb_strip_nulls(jsonb_build_object(
    'scim_external_id', s.external_id, 'scim_is_removed', nullif(s.is_removed, false)))) f
    where s.realm_id = $1 and s.group_id = any($2)`;

// The values are only compared and recorded, so they may be any JSON.
const fieldsOf = (text: string) => statement(text, { id: z.number(), key: z.string(), value: z.unknown() });

const LOAD: Readonly<Record<SubjectKind, ReturnType<typeof fieldsOf>>> = {
  organization: fieldsOf(`select * from (${ORGANIZATION}) field where id = any($2)`),
  user: fieldsOf(USER),
  channel: fieldsOf(CHANNEL),
  group: fieldsOf(GROUP),
};

/** The present values of the subjects. */
export async function loadSnapshot(
  sql: Sql,
  realmId: number,
  kind: SubjectKind,
  ids: readonly number[],
): Promise<Snapshot> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query(LOAD[kind], [realmId, ids]);
  const snapshot = new Map<number, Map<string, unknown>>();
  for (const { id, key, value } of rows) {
    const fields = snapshot.get(id) ?? new Map<string, unknown>();
    snapshot.set(id, fields.set(key, value));
  }
  return snapshot;
}

/** Kinds of subjects that acts create. */
export type MadeKind = Exclude<SubjectKind, 'organization'>;

const idsOf = (table: string) => ({
  last: statement(`select coalesce(max(id), 0) as id from ${table} made where realm_id = $1`, { id: z.number() }),
  made: statement(
    `select id from ${table} made
     where realm_id = $1 and id > $2 and xmin = pg_current_xact_id()::xid order by id`,
    { id: z.number() },
  ),
});

const IDS: Readonly<Record<MadeKind, ReturnType<typeof idsOf>>> = {
  user: idsOf('user_account'),
  channel: idsOf('channel'),
  // Groups without a name are values of settings.
  group: idsOf('(select realm_id, id, xmin from user_group where name is not null)'),
};

export async function loadLastId(sql: Sql, realmId: number, kind: MadeKind): Promise<number> {
  return onlyRow(await sql.query(IDS[kind].last, [realmId])).id;
}

/** Larger ids, created by this transaction. */
export async function listMade(sql: Sql, realmId: number, kind: MadeKind, afterId: number): Promise<number[]> {
  const rows = await sql.query(IDS[kind].made, [realmId, afterId]);
  return rows.map(({ id }) => id);
}
