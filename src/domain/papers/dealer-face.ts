// A dealer as the public pages show it: name, city, telephone and logo, nothing else of the account.
import type { PaperHead } from './paper.ts';

export interface DealerFace {
  readonly name: string;
  readonly city: string | null;
  readonly phone: string | null;
  readonly logo: Uint8Array | null;
}

export const faceOf = ({ name, city, phone, logo }: PaperHead): DealerFace => ({ name, city, phone, logo });
