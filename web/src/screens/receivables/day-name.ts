import { useLocale } from '../../language.ts';

/** `15 Kasım 2026 Pazar`; of what is no day, the text as it is. */
export function useDayName(): (day: string) => string {
  const locale = useLocale();
  const format = new Intl.DateTimeFormat(locale === 'tr' ? 'tr-TR' : 'en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return (day) => (Number.isNaN(Date.parse(day)) ? day : format.format(new Date(day)));
}
