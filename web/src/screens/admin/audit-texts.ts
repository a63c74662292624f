// The platform's audit log.
import { texts } from '../../language.ts';

export const adminAuditTexts = texts({
  tr: {
    auditHint: 'Bütün platformda kim, ne zaman, neyi değiştirdi; reddedilenler de burada.',
    when: 'Zaman',
    who: 'Kim',
    what: 'İşlem',
    outcome: 'Sonuç',
    done: 'Yapıldı',
    denied: 'Reddedildi',
    allOutcomes: 'Tüm sonuçlar',
    subject: 'Konu',
    allSubjects: 'Tüm konular',
    actorSearch: 'Kişi ara',
    from: 'Başlangıç',
    to: 'Bitiş',
    noEntries: 'Bu filtrelerle kayıt yok',
    onlyAccount: 'Yalnızca bu hesap',
  },
  en: {
    auditHint: 'Who changed what and when, across the whole platform; denied attempts are here too.',
    when: 'Time',
    who: 'Who',
    what: 'Action',
    outcome: 'Outcome',
    done: 'Done',
    denied: 'Denied',
    allOutcomes: 'All outcomes',
    subject: 'Subject',
    allSubjects: 'All subjects',
    actorSearch: 'Search people',
    from: 'From',
    to: 'To',
    noEntries: 'No entries with these filters',
    onlyAccount: 'This account only',
  },
});
