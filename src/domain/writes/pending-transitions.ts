// What a read or write throws when it meets something of another dealer that the clock has ended and nobody has written yet.
import { Rollback } from '../../kit/db.ts';

/** These dealers are brought up to date, and it is asked again (http/api/catch-up.ts). */
export class PendingTransitions extends Rollback {
  readonly dataSets: readonly string[];
  constructor(dataSets: readonly string[]) {
    super('a timed transition is pending');
    this.dataSets = dataSets;
  }
}
