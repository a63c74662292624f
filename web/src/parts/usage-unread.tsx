// Shown where the database of the log does not answer.
import { texts, useTexts } from '../language.ts';

const usageTexts = texts({
  tr: { unread: 'Kullanım şu anda okunamıyor.' },
  en: { unread: 'Usage cannot be read right now.' },
});

/** In place of a number of calls: nothing is known of them. */
export function UsageUnread() {
  return <span className="text-text-3">{useTexts(usageTexts).unread}</span>;
}
