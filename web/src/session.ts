// The session: person, dealer and role. Read once at the start, available to every screen.
import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { Role } from '../../src/domain/identity/roles.ts';
import type { SessionView } from '../../src/panel/account/session.ts';
import { call, setCsrfToken } from './api.ts';
import { setClockOffset } from './clock.ts';
import { basePath } from './environment.ts';
import { type Format, formatFor } from './format.ts';
import { useLocale } from './language.ts';
import { type Preferences, setPreferences } from './preferences.ts';

export type Session = SessionView;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await call('GET session', { signal });
    setCsrfToken(session.csrf);
    setPreferences(session.preferences);
    setClockOffset(session.clock_offset_ms);
    markStaff(session);
    return session;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Lets `start.js` request what the first screen reads. A developer may not read all of it. */
function markStaff({ account }: Session): void {
  try {
    localStorage.setItem('galeri.staff', account !== null && account.role !== 'developer' ? 'yes' : 'no');
  } catch {
    // Without storage nothing is requested early.
  }
}

export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** Whether the signed-in person has one of the roles; the server checks again on every call. */
export function useRole(...roles: readonly Role[]): boolean {
  const role = useSession().account?.role;
  return role !== undefined && roles.includes(role);
}

/** Numbers and times in the person's language and the dealer's time zone. */
export function useFormat(): Format {
  return formatFor(useLocale(), useSession().account?.timezone ?? 'Europe/Istanbul');
}

/** Applies preferences at once and saves them with the person. */
export function useSavePreferences(): (changed: Partial<Preferences>) => void {
  return (changed) => {
    setPreferences(changed);
    // A failure needs no message, because they are applied and stored in this browser.
    call('PATCH me', { body: changed }).catch(() => {});
  };
}

/** Switches to another dealer and reloads the page, so that nothing of the previous one stays in memory. */
export function useSwitchAccount(): (accountId: string) => Promise<void> {
  const client = useQueryClient();
  return async (accountId) => {
    const { may_use_sandbox } = await call('POST session/account', { body: { account_id: accountId } });
    client.clear();
    // From a sandbox into the other account's, never silently into its live data.
    location.assign(may_use_sandbox ? basePath() : '/panel');
  };
}
