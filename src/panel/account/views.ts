// Saved views: named filters of a list, visible only to the person who saved them.
import { oneOfField, required, textField } from '../../domain/records/fields.ts';
import { violatedConstraint } from '../../domain/records/record.ts';
import { audit } from '../../domain/writes/audit.ts';
import type { Db } from '../../kit/db.ts';
import { fail, type Locale } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { oneOfParam } from '../../kit/params.ts';
import { own, rawSql, type Sql, sql, theAccount } from '../../kit/sql.ts';
import { panelDelete, panelGet, panelPatch, panelPost } from '../kit/endpoint.ts';

export const VIEW_SCREENS = ['vehicles', 'customers', 'sales', 'logs', 'keys', 'catalog'] as const;
export type ViewScreen = (typeof VIEW_SCREENS)[number];

export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** The screen's address after the question mark. */
  readonly query: string;
}

/** More would not fit in a menu. */
const MAX_VIEWS = 30;

const nameField = textField(60);
/** Not a textField, because a query may be empty («everything») and must not be trimmed. */
const queryField = {
  ...textField(2000),
  read: (value: unknown, context: Parameters<typeof nameField.read>[1]) =>
    value === '' ? '' : textField(2000).read(value, context),
};

const mine = (person: string): Sql => sql`(select * from ${own('saved_views')} where person_id = ${person}) mine`;

export const viewEndpoints = [
  panelGet('views', {
    who: 'member',
    databaseRole: 'tenant',
    query: { screen: oneOfParam(VIEW_SCREENS) },
    run: ({ db, session, query }): Promise<SavedView[]> =>
      db.rows(sql`select id, name, query from ${mine(session.person.id)}
        where ${query.screen ?? null}::text is null or screen = ${query.screen ?? null} order by fold_tr(name), id limit ${200}`),
  }),
  panelPost('views', {
    who: 'member',
    databaseRole: 'tenant',
    bodySchema: { screen: required(oneOfField(VIEW_SCREENS)), name: required(nameField), query: required(queryField) },
    run: async ({ db, session, account, body, now, actor, locale }): Promise<SavedView> => {
      const { screen, name, query } = body;
      const held = await db.one<{ count: number }>(
        sql`select count(*)::int as count from ${mine(session.person.id)} where screen = ${screen}`,
      );
      if (held.count >= MAX_VIEWS) fail('validation_failed', { details: [tooMany[locale]] });
      const id = newId(now.getTime());
      await uniquely(
        locale,
        db.exec(sql`insert into ${rawSql('saved_views')} (account_id, id, person_id, screen, name, query)
          values (${theAccount}, ${id}, ${session.person.id}, ${screen}, ${name}, ${query})`),
      );
      await audit(db, actor, 'view.saved', id, { accountId: account.id, after: { screen, name, query } });
      return { id, name, query };
    },
  }),
  panelPatch('views/{view_id}', {
    who: 'member',
    databaseRole: 'tenant',
    bodySchema: { name: nameField, query: queryField },
    run: async ({ db, session, account, params, body, now, actor, locale }): Promise<SavedView> => {
      const before = await readView(db, session.person.id, params.view_id);
      const after = { id: before.id, name: body.name ?? before.name, query: body.query ?? before.query };
      await uniquely(
        locale,
        db.exec(sql`update ${rawSql('saved_views')} set name = ${after.name}, query = ${after.query}, updated_at = ${now}
          where account_id = ${theAccount} and id = ${before.id}`),
      );
      await audit(db, actor, 'view.changed', before.id, { accountId: account.id, before: { ...before }, after });
      return after;
    },
  }),
  panelDelete('views/{view_id}', {
    who: 'member',
    databaseRole: 'tenant',
    run: async ({ db, session, account, params, actor }) => {
      const before = await readView(db, session.person.id, params.view_id);
      await db.exec(sql`delete from ${rawSql('saved_views')} where account_id = ${theAccount} and id = ${before.id}`);
      await audit(db, actor, 'view.deleted', before.id, { accountId: account.id, before: { ...before } });
      return before;
    },
  }),
];

const readView = (db: Db, person: string, id: string): Promise<SavedView> =>
  db.one<SavedView>(sql`select id, name, query from ${mine(person)} where id = ${id}`);

const tooMany = {
  en: { field: 'name', code: 'too_many', message: `A screen holds at most ${MAX_VIEWS} views; delete one first` },
  tr: { field: 'name', code: 'too_many', message: `Bir ekranda en çok ${MAX_VIEWS} görünüm olur; önce birini silin` },
};
const taken = {
  en: { field: 'name', code: 'in_use', message: 'You already have a view of this name' },
  tr: { field: 'name', code: 'in_use', message: 'Bu adda bir görünümünüz zaten var' },
};

/** A name is unique for each person and screen. The index decides, because two tabs may save at once. */
async function uniquely(locale: Locale, write: Promise<number>): Promise<void> {
  await write.catch((error: unknown) => {
    if (violatedConstraint(error) === 'saved_views_name') fail('validation_failed', { details: [taken[locale]] });
    throw error;
  });
}
