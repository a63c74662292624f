import { texts } from '../../language.ts';

export const revealTexts = texts({
  tr: {
    show: 'Göster',
    hide: 'Gizle',
    hint: 'Parolanız sorulur; her görüntüleme denetim kaydına yazılır.',
    failed: 'Gösterilemedi',
  },
  en: {
    show: 'Show',
    hide: 'Hide',
    hint: 'Asks for your password; each viewing is recorded in the audit log.',
    failed: 'Could not be shown',
  },
});
