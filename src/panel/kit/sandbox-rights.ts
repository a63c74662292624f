// Who may enter the isolated sandbox of an account.
import type { PanelSession } from './endpoint.ts';

/** Those who work with keys. */
export const SANDBOX_ROLES = ['owner', 'developer'] as const;

/** An administrator who views the account sees its sandbox too. */
export const mayEnterSandbox = ({ account, look }: Pick<PanelSession, 'account' | 'look'>): boolean =>
  account !== null && (look || SANDBOX_ROLES.some((role) => role === account.role));
