import { texts } from '../../language.ts';

export const overviewTexts = texts({
  tr: {
    title: 'Genel bakış',
    description: (account: string) => `${account} hesabının anahtarları, trafiği ve bugün çalışan uç noktaları.`,
    noAccount: 'Bir bayi hesabında değilsiniz.',
  },
  en: {
    title: 'Overview',
    description: (account: string) => `Keys, traffic and live endpoints of ${account}.`,
    noAccount: 'You are not in a dealer account.',
  },
});
