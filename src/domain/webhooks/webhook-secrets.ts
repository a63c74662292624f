// The secrets of webhooks as they are stored: sealed, each for its row and column.
import type { SealingKeys } from '../../kit/work.ts';
import { type CellAddress, seal, Unreadable, unseal } from '../vault/vault.ts';

type SecretColumn = 'secret_encrypted' | 'previous_secret_encrypted';
type Keys = Pick<SealingKeys, 'account' | 'ring'>;

const sealedCell = ({ account }: Keys, column: SecretColumn, webhookId: string): CellAddress => {
  return { account, table: 'webhooks', column, row: webhookId };
};

export const sealSecret = (keys: Keys, column: SecretColumn, webhookId: string, secret: string): Buffer =>
  seal(keys.ring, sealedCell(keys, column, webhookId), secret);

/** Null if the secret cannot be decrypted; then a new one has to be generated. */
export function tryOpenSecret(keys: Keys, column: SecretColumn, webhookId: string, sealed: Buffer): string | null {
  try {
    return unseal(keys.ring, sealedCell(keys, column, webhookId), sealed);
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}
