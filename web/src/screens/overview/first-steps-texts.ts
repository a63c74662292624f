import { plural, texts } from '../../language.ts';

export const firstStepsTexts = texts({
  tr: {
    steps: 'İlk adımlar',
    stepsHint: (done: number, all: number) => `${all} adımdan ${done} tanesi tamam`,
    step: {
      has_identity: { title: 'Logo ve adres', text: 'Logonuz, şehriniz ve telefonunuz makbuz ve sözleşmelere basılır.' },
      has_vehicle: { title: 'İlk araç ya da dosya', text: 'Elinizdeki Excel listesini yükleyin.' },
      has_rates: { title: 'Kurlar', text: 'Bankanızın kurları gelince dövizli tahsilat günün kuruyla alınır.' },
      has_reminder_rule: { title: 'Hatırlatma kuralı', text: 'Vadesi yaklaşanlar her sabah WhatsApp mesajıyla listelenir.' },
      has_colleague: { title: 'Ekibiniz', text: 'Satış, finans ve geliştirici ayrı yetkilerle çalışır.' },
      has_key: {
        title: 'İlk API anahtarını oluşturun',
        text: 'Bir şablon seçin, uç noktaları daraltın; gizli anahtar bir kez gösterilir.',
      },
      has_call: {
        title: 'İlk isteği gönderin',
        text: 'Anahtarla GET /api/v1/account çağırın; istek birkaç saniyede günlükte görünür.',
      },
    },
    addCar: 'Aracı tek tek ekleyin',
    done: 'Tamam',
  },
  en: {
    steps: 'First steps',
    stepsHint: (done: number, all: number) => `${done} of ${plural(all, 'step', 'steps')} done`,
    step: {
      has_identity: { title: 'Logo and address', text: 'Your logo, city and phone are printed on receipts and contracts.' },
      has_vehicle: { title: 'First car or file', text: 'Upload the Excel list you have.' },
      has_rates: {
        title: 'Exchange rates',
        text: "With your bank's rates, payments in another currency are taken at the rate of the day.",
      },
      has_reminder_rule: {
        title: 'Reminder rule',
        text: 'Customers whose payment is near are listed each morning with a WhatsApp message.',
      },
      has_colleague: { title: 'Your team', text: 'Sales, finance and developers work with rights of their own.' },
      has_key: { title: 'Create the first API key', text: 'Pick a template, narrow its endpoints; the secret is shown once.' },
      has_call: {
        title: 'Send the first request',
        text: 'Call GET /api/v1/account with the key; it shows in the log within seconds.',
      },
    },
    addCar: 'Add a car by hand',
    done: 'Done',
  },
});
