// What a read or write throws when it meets something of another dealer that the clock has ended and nobody has written yet.
import { Undone } from '../../kit/db.ts';

/** These dealers are brought up to date, and it is asked again (http/api/catch-up.ts). */
export class Late extends Undone {
  readonly dataSets: readonly string[];
  constructor(dataSets: readonly string[]) {
    super('a timed transition is pending');
    this.dataSets = dataSets;
  }
}
