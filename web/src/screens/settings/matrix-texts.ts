import { texts } from '../../language.ts';

export const matrixTexts = texts({
  tr: {
    title: 'Roller ve yetkiler',
    description: 'Hangi rol panelde hangi uç noktayı kullanabilir. API anahtarlarının kapsamı bundan ayrıdır.',
    category: 'Kategori',
    all: 'Tümü',
    nothing: 'Yok',
    allowed: 'Kullanabilir',
    refused: 'Kullanamaz',
    expand: (name: string) => `${name}: uç noktaları göster`,
    collapse: (name: string) => `${name}: uç noktaları gizle`,
  },
  en: {
    title: 'Roles and rights',
    description: 'Which role can use which endpoint in the panel. The scope of API keys is separate.',
    category: 'Category',
    all: 'All',
    nothing: 'None',
    allowed: 'Allowed',
    refused: 'Not allowed',
    expand: (name: string) => `Show the endpoints of ${name}`,
    collapse: (name: string) => `Hide the endpoints of ${name}`,
  },
});
