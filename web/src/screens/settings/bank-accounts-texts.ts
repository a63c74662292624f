import { texts } from '../../language.ts';

export const bankAccountsTexts = texts({
  tr: {
    title: 'Banka hesapları',
    description: 'Müşterilerin havale yapabileceği hesaplarınız. Müşteri sayfasında görünür.',
    none: 'Henüz hesap yok: müşteriler nereye ödeyeceğini sayfalarında göremez.',
    add: 'Hesap ekle',
    addText: 'Müşteriler bu hesaba para gönderir; IBAN’ı dikkatle yazın.',
    added: 'Banka hesabı eklendi',
    bank: 'Banka',
    holder: 'Hesap sahibi',
    currency: 'Para birimi',
    remove: (bank: string) => `${bank} hesabını kaldır`,
    removeAction: 'Kaldır',
    removeText: 'Müşteriler bu hesabı artık görmez.',
    removed: 'Banka hesabı kaldırıldı',
  },
  en: {
    title: 'Bank accounts',
    description: 'Your accounts to which customers can transfer money. Customer pages show them.',
    none: 'There is no account yet: customers do not see on their pages where to pay.',
    add: 'Add an account',
    addText: 'Customers send money to this account; check the IBAN.',
    added: 'The bank account was added',
    bank: 'Bank',
    holder: 'Account holder',
    currency: 'Currency',
    remove: (bank: string) => `Remove the account at ${bank}`,
    removeAction: 'Remove',
    removeText: 'Customers no longer see this account.',
    removed: 'The bank account was removed',
  },
});
