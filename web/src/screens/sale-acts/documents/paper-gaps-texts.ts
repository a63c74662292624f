import { texts } from '../../../language.ts';

export const paperGapsTexts = texts({
  tr: {
    gaps: 'Evrakta boş kalacak bilgiler',
    gapsHint: 'Kâğıtta elle doldurulacak boş satır olarak basılır.',
    records: { vehicle: 'Araç', customer: 'Müşteri', guarantor: 'Kefil', account: 'Galeri' },
    fields: {
      chassis_no: 'şasi numarası',
      engine_no: 'motor numarası',
      plate: 'plaka',
      id_no: 'kimlik numarası',
      tax_no: 'vergi numarası',
      address: 'adres',
      legal_name: 'ticaret unvanı',
      phone: 'telefon',
    } as Readonly<Record<string, string>>,
  },
  en: {
    gaps: 'Empty on the documents',
    gapsHint: 'Printed as an empty line, to be filled in by hand.',
    records: { vehicle: 'Vehicle', customer: 'Customer', guarantor: 'Guarantor', account: 'Dealership' },
    fields: {
      chassis_no: 'chassis number',
      engine_no: 'engine number',
      plate: 'plate',
      id_no: 'identity number',
      tax_no: 'tax number',
      address: 'address',
      legal_name: 'registered name',
      phone: 'telephone',
    },
  },
});
