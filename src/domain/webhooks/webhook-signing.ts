// Signatures of Standard Webhooks 1.0, with which a receiver verifies that a delivery is ours, unaltered and recent.
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

/** As in Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
export function isWebhookSecret(text: string): boolean {
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64');
  return text === `${PREFIX}${bytes.toString('base64')}` && bytes.length >= 24 && bytes.length <= 64;
}

/** One signature for each valid secret, newest first. */
export function signatureHeaders(
  secrets: readonly string[],
  event: { readonly id: string; readonly payload: string },
  at: Date,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${event.id}.${timestamp}.${event.payload}`).digest('base64')}`;
  });
  return { 'webhook-id': event.id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') };
}
