import { texts } from '../language.ts';

export const revealTexts = texts({
  tr: {
    show: 'Göster',
    hide: 'Gizle',
    hint: 'Parolanız sorulur; her bakış denetim kaydına yazılır.',
    failed: 'Gösterilemedi',
  },
  en: {
    show: 'Show',
    hide: 'Hide',
    hint: 'Asks for your password; each look is written to the audit log.',
    failed: 'Could not be shown',
  },
});
