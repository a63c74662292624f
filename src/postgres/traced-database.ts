// Each transaction of work that belongs to a trace is a span, from its wait for a connection to its commit.
import { type Attributes, traced } from '../domain/tracing/spans.ts';
import type { Access, Database } from '../kit/db.ts';

const attributesOf = (role: 'tenant' | 'platform', access: Access): Attributes => ({
  'db.system.name': 'postgresql',
  'galeri.database_role': role,
  'galeri.access': access,
});

export const withSpans = (database: Database): Database => ({
  ...database,
  inTenant: (dataSet, access, work, finish) =>
    traced('transaction', attributesOf('tenant', access), () => database.inTenant(dataSet, access, work, finish)),
  onPlatform: (access, work) => traced('transaction', attributesOf('platform', access), () => database.onPlatform(access, work)),
});
