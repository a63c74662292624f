-- Agents use a key through /mcp. What an agent may do is an attribute of the key; keys that exist may read.
alter table api_keys
  add column agents text not null default 'read',
  add column agent_confirmation text not null default 'client',
  add column agent_ceilings jsonb not null default '{}',
  add column agent_approvers uuid[] not null default '{}';
alter table api_keys
  add constraint api_keys_agents_check check (agents in ('off', 'read', 'write')) not valid,
  add constraint api_keys_agent_confirmation_check check (agent_confirmation in ('client', 'panel')) not valid,
  add constraint api_keys_agent_ceilings_check check (jsonb_typeof(agent_ceilings) = 'object') not valid,
  add constraint api_keys_agent_approvers_check check (cardinality(agent_approvers) <= 50) not valid;
comment on column api_keys.agents is 'What agents may do with the key: off, read, or write with confirmation.';
comment on column api_keys.agent_confirmation is 'Where a person confirms: in the window of the client or in the panel, or only in the panel.';
comment on column api_keys.agent_ceilings is 'Minor units by currency that agents may move without a person, in one call and in one day; a missing currency is 0.';
comment on column api_keys.agent_approvers is 'People who decide writes of agents; empty: the owners.';

alter table request_logs add column via text, add column client text;
comment on column request_logs.via is 'mcp for calls of agents.';
comment on column request_logs.client is 'Name and version that the agent''s client gives itself.';

alter table audit_log add column via jsonb;
comment on column audit_log.via is 'For writes of agents: the client, the preview, and who confirmed it.';

create table agent_writes (
  account_id uuid not null references accounts (id),
  id uuid not null,
  key_id uuid not null,
  endpoint text not null,
  path text not null,
  status text not null check (status in ('waiting', 'approved', 'rejected', 'done', 'failed')),
  confirmed_by text check (confirmed_by in ('token', 'client', 'panel')),
  decided_by uuid,
  decided_at timestamptz,
  money jsonb not null default '[]' check (jsonb_typeof(money) = 'array'),
  client text,
  preview_encrypted bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, key_id) references api_keys (account_id, id),
  constraint agent_writes_decided check ((decided_by is null) = (decided_at is null)),
  constraint agent_writes_person check (confirmed_by is distinct from 'panel' or decided_by is not null)
);
comment on table agent_writes is 'Writes of agents after their preview: who confirmed them, and what became of them. The id is that of the preview.';
create index agent_writes_waiting on agent_writes (account_id, created_at desc, id desc) where status = 'waiting';
create index agent_writes_key on agent_writes (account_id, key_id, created_at desc, id desc);
create index agent_writes_age on agent_writes (created_at);
select raise_wall('agent_writes');
grant select, insert, update on agent_writes to galeri_app;
create policy platform on agent_writes to galeri_platform using (true) with check (true);
grant select, delete on agent_writes to galeri_platform;

create table agent_days (
  account_id uuid not null references accounts (id),
  key_id uuid not null,
  day date not null,
  currency text not null default '',
  calls int not null default 0,
  refused int not null default 0,
  writes int not null default 0,
  moved_minor bigint not null default 0,
  alone_minor bigint not null default 0,
  primary key (account_id, key_id, day, currency),
  foreign key (account_id, key_id) references api_keys (account_id, id)
);
comment on table agent_days is 'What agents did with a key on a day of the account: calls and writes, and by currency the money that they moved.';
comment on column agent_days.currency is 'Empty for the numbers of calls and writes.';
comment on column agent_days.alone_minor is 'Money moved without a person; the ceiling of the day bounds it.';
select raise_wall('agent_days');
grant select, insert, update on agent_days to galeri_app;
create policy platform on agent_days to galeri_platform using (true) with check (true);
grant select on agent_days to galeri_platform;
