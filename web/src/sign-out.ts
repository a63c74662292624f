// Signing out uses the server's page, which ends the session and deletes the cookie. Drafts do not remain in the browser.
import { call, leaveToSignIn } from './api.ts';
import { queryClient } from './query-client.ts';
import { sessionQuery } from './session.ts';

export function signOut(): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/panel/cikis';
  const token = document.createElement('input');
  token.type = 'hidden';
  token.name = 'csrf';
  token.value = queryClient.getQueryData(sessionQuery.queryKey)?.csrf ?? '';
  form.append(token);
  document.body.append(form);
  sessionStorage.clear();
  form.submit();
}

export async function signOutEverywhere(): Promise<void> {
  await call('POST sessions/sign-out-everywhere');
  leaveToSignIn('/panel/giris');
  sessionStorage.clear();
  queryClient.clear();
}
