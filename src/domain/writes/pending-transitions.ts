// Thrown by a read or write that meets another dealer's record whose timed transition is due but not written yet.
import { Rollback } from '../../kit/db.ts';

/** These dealers are brought up to date, and the request is repeated (http/api/catch-up.ts). */
export class PendingTransitions extends Rollback {
  readonly dataSets: readonly string[];
  constructor(dataSets: readonly string[]) {
    super('a timed transition is pending');
    this.dataSets = dataSets;
  }
}
