// What every page of the reference knows about this deployment and its reader.
import type { Locale } from '../../kit/errors.ts';
import type { ApiRow } from '../api/api-rows.ts';

export interface DocsView {
  readonly rows: readonly ApiRow[];
  /** The service's own address, and that of the API. */
  readonly base: string;
  readonly api: string;
  readonly locale: Locale;
  /** For samples that name a day to come. */
  readonly today: string;
  /** The row's status on this deployment. */
  readonly isLive: (rowId: string) => boolean;
}
