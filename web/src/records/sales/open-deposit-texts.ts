import { texts } from '../../language.ts';

export const openDepositTexts = texts({
  tr: {
    title: 'Açık kapora',
    held: 'Araç bu müşteriye rezerve; rezervasyon biterken kaporaya karar verilir.',
    over: 'Rezervasyon sona erdi, kapora hâlâ açık: iade edin ya da gelir yazın. Araç bu müşteriye satılırsa ilk ödemesi sayılır.',
    close: 'Kaporayı kapat',
    what: 'Kapora ne olsun?',
    choose: 'Seçin',
    text: (amount: string, receipt: string) =>
      `${amount}, ${receipt} numaralı makbuz. İade, bugünün tarihiyle kasadan aynı yöntemle çıkar; kalan kapora gelir yazılır. Geri alınamaz.`,
    givenBack: 'Kapora iade edildi',
    kept: 'Kapora gelir yazıldı',
  },
  en: {
    title: 'Open deposit',
    held: 'The vehicle is reserved for this customer; the deposit is decided on when the reservation ends.',
    over: 'The reservation is over and the deposit is still open: refund it or keep it as income. If this customer buys the vehicle, it becomes the first payment.',
    close: 'Close deposit',
    what: 'What happens to the deposit?',
    choose: 'Choose',
    text: (amount: string, receipt: string) =>
      `${amount}, receipt ${receipt}. A refund leaves the till today by the same method; a kept deposit is booked as income. This cannot be undone.`,
    givenBack: 'Deposit refunded',
    kept: 'Deposit kept as income',
  },
});
