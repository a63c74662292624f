// The platform's administrators: list them, invite one by a link, disable one.
import { createReset } from '../../domain/identity/invitations.ts';
import { clearTotp, createAdmin, NO_PASSWORD, PersonRefusal } from '../../domain/identity/people.ts';
import { endSessionsOf } from '../../domain/identity/sessions.ts';
import { countAdmins } from '../../domain/keys/second-administrator.ts';
import { required, textField } from '../../domain/records/fields.ts';
import { emailField } from '../../domain/records/person-fields.ts';
import { audit } from '../../domain/writes/audit.ts';
import { fail } from '../../kit/errors.ts';
import { sql } from '../../kit/sql.ts';
import { panelDelete, panelGet, panelPost } from '../kit/endpoint.ts';

/** A line of `GET admin/administrators`. */
export interface AdministratorLine {
  readonly id: string;
  readonly email: string;
  readonly full_name: string;
  readonly has_totp: boolean;
  /** Invited, but has not set a password yet. */
  readonly waiting: boolean;
  readonly last_seen_at: string | null;
  readonly created_at: string;
}

/** The link is shown once. */
export interface AdministratorInvitation {
  readonly id: string;
  readonly email: string;
  readonly link: string;
  readonly expires_at: string;
}

export const adminPeopleEndpoints = [
  panelGet('admin/administrators', {
    who: 'admin',
    databaseRole: 'platform',
    run: ({ db }): Promise<AdministratorLine[]> =>
      db.rows(sql`select p.id, p.email, p.full_name, p.totp_confirmed_at is not null as has_totp, p.password_hash = ${NO_PASSWORD} as waiting,
          (select utc_text(max(s.last_seen_at)) from sessions s where s.person_id = p.id) as last_seen_at,
          utc_text(p.created_at) as created_at
        from people p where p.is_admin and p.disabled_at is null order by p.created_at, p.id limit 200`),
  }),
  panelPost('admin/administrators', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    bodySchema: { email: required(emailField), full_name: required(textField(120)) },
    run: async ({ db, body, session, services, actor, realNow }): Promise<AdministratorInvitation> => {
      const { email, full_name } = body;
      // A person who belongs to a dealer cannot become an administrator.
      const { id } = await createAdmin(db, email, NO_PASSWORD, actor, full_name).catch((error) => {
        throw error instanceof PersonRefusal ? fail('email_taken') : error;
      });
      const { token, expires_at } = await createReset(db, id, { by: session.person.id }, actor, realNow);
      return { id, email, link: `${services.publicUrl()}/panel/parola-sifirla/${token}`, expires_at: expires_at.toISOString() };
    },
  }),
  panelPost('admin/administrators/{person_id}/link', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    run: async ({ db, params, session, services, actor, realNow }): Promise<AdministratorInvitation> => {
      const id = params.person_id;
      // Only while the administrator has no password; later they change it themselves.
      const { email } = await db.one<{ email: string }>(
        sql`select email from people where id = ${id} and is_admin and disabled_at is null and password_hash = ${NO_PASSWORD}`,
      );
      const { token, expires_at } = await createReset(db, id, { by: session.person.id }, actor, realNow);
      return { id, email, link: `${services.publicUrl()}/panel/parola-sifirla/${token}`, expires_at: expires_at.toISOString() };
    },
  }),
  // For an administrator who lost phone and recovery codes; another administrator has to do it.
  panelDelete('admin/people/{person_id}/totp', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    run: async ({ db, params, session, actor }) => {
      const id = params.person_id;
      if (id === session.person.id) fail('conflict');
      const { email } = await db.one<{ email: string }>(sql`select email from people where id = ${id} and disabled_at is null`);
      await clearTotp(db, id);
      await endSessionsOf(db, id, null);
      await audit(db, actor, 'totp.removed', id, { after: { email } });
      return { removed: true };
    },
  }),
  panelDelete('admin/administrators/{person_id}', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    run: async ({ db, params, session, actor, realNow }) => {
      const id = params.person_id;
      await db.exec(sql`select pg_advisory_xact_lock(hashtext('galeri.administrators'))`);
      const { email } = await db.one<{ email: string }>(
        sql`select email from people where id = ${id} and is_admin and disabled_at is null`,
      );
      if (id === session.person.id || (await countAdmins(db, id)) < 1) fail('last_admin');
      await db.exec(sql`update people set disabled_at = ${realNow}, disabled_by = ${session.person.id}, updated_at = ${realNow}
        where id = ${id}`);
      await endSessionsOf(db, id, null);
      await audit(db, actor, 'admin.removed', id, { before: { email } });
      return { removed: true };
    },
  }),
];
