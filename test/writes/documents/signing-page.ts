// A recipient with a phone: opens a signing link and submits the forms of its page.

import { findStaffCodes, logSeen } from '../../../src/domain/documents/signing/signing-codes.ts';
import { sealingKeys } from '../../../src/domain/vault/vault.ts';
import { Browser } from '../../panel/people.ts';
import type { Answer, TestService } from '../../support/service.ts';
import type { Dealer } from '../../support/writer.ts';

let signers = 0;

/** Each recipient has its own network address, set through a trusted proxy. */
export class Signer {
  readonly address: string;
  readonly browser: Browser;
  readonly path: string;
  constructor(api: TestService, url: string) {
    this.browser = new Browser(api.service.url);
    this.path = new URL(url).pathname;
    signers += 1;
    this.address = `10.9.${Math.floor(signers / 250)}.${signers % 250}`;
  }

  open(headers: Record<string, string> = { 'accept-language': 'tr' }): Promise<Answer> {
    return this.browser.send(this.path, { headers: { 'x-forwarded-for': this.address, ...headers } });
  }

  post(act: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.browser.send(`${this.path}/${act}`, {
      method: 'POST',
      raw: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': this.address, ...headers },
    });
  }

  read(): Promise<Response> {
    return fetch(`${this.browser.url}${this.path}/belge`, {
      redirect: 'manual',
      headers: { cookie: this.browser.cookieText(), 'x-forwarded-for': this.address },
    });
  }

  decide(decision: 'sign' | 'decline'): Promise<Answer> {
    return this.post('karar', { decision, sure: 'yes', typed: 'Ayşe Güneş' });
  }

  /** The page that the recipient has scrolled to. */
  async enter(api: TestService, dealer: Dealer, documentId: string): Promise<void> {
    await this.post('kod');
    const codes = await codesOf(api, dealer, documentId);
    for (const code of codes) {
      const answer = await this.post('ac', { code });
      if (answer.status === 303) return;
    }
    throw new Error(`no code opens ${this.path}`);
  }
}

export const WITNESS = 'Zeynep Tanık';

/** As the panel shows them to a staff member of the dealer. */
export async function codesOf(api: TestService, { accountId }: Dealer, documentId: string): Promise<string[]> {
  const realNow = api.clock.realNow();
  return api.database.inTenant(accountId, 'write', async (db) => {
    const found = await findStaffCodes(db, sealingKeys(api.secrets, accountId), documentId, realNow);
    const witness = { type: 'panel', name: 'zeynep@example.com', fullName: WITNESS } as const;
    const ids = found.map(({ id }) => id);
    await logSeen(db, ids, witness, realNow);
    return found.map(({ shown }) => shown.code);
  });
}
