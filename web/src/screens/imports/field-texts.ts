// Labels of our fields in both languages.
import { texts } from '../../language.ts';
import type { OurField } from './fields.ts';

type Names = Readonly<Record<OurField, string>>;

const tr: Names = {
  plate: 'Plaka',
  brand: 'Marka',
  model: 'Model',
  model_year: 'Model yılı',
  km: 'Kilometre',
  price: 'Fiyat',
  fuel_type: 'Yakıt',
  transmission: 'Vites',
  body_type: 'Kasa tipi',
  color: 'Renk',
  city: 'Şehir',
  currency: 'Para birimi',
  external_ref: 'Kaynaktaki numara',
  trim: 'Paket',
  description: 'Açıklama',
  stock_date: 'Stoğa giriş tarihi',
  source: 'Edinme şekli',
  chassis_no: 'Şasi no',
  engine_no: 'Motor no',
  purchase_price: 'Alış fiyatı',
  purchase_currency: 'Alış para birimi',
  customs_fee: 'Gümrük masrafı',
  other_costs: 'Diğer masraflar',
  branch_id: 'Şube kimliği',
  first_name: 'Ad',
  last_name: 'Soyad',
  phone: 'Telefon',
  email: 'E-posta',
  risk_level: 'Risk düzeyi',
  note: 'Not',
  id_no: 'Kimlik no',
  address: 'Adres',
  monthly_income: 'Aylık gelir',
  birth_date: 'Doğum tarihi',
};

const en: Names = {
  plate: 'Plate',
  brand: 'Make',
  model: 'Model',
  model_year: 'Model year',
  km: 'Kilometres',
  price: 'Price',
  fuel_type: 'Fuel',
  transmission: 'Gearbox',
  body_type: 'Body type',
  color: 'Colour',
  city: 'City',
  currency: 'Currency',
  external_ref: 'Number in the source',
  trim: 'Trim',
  description: 'Description',
  stock_date: 'Stock date',
  source: 'Acquired by',
  chassis_no: 'Chassis no.',
  engine_no: 'Engine no.',
  purchase_price: 'Purchase price',
  purchase_currency: 'Purchase currency',
  customs_fee: 'Customs fee',
  other_costs: 'Other costs',
  branch_id: 'Branch id',
  first_name: 'First name',
  last_name: 'Last name',
  phone: 'Phone',
  email: 'E-mail',
  risk_level: 'Risk level',
  note: 'Note',
  id_no: 'Identity no.',
  address: 'Address',
  monthly_income: 'Monthly income',
  birth_date: 'Birth date',
};

export const fieldTexts = texts({ tr, en });

/** The label of a field, or the server's name where it has none. */
export const fieldName = (names: Names, field: string | null): string | null =>
  field === null ? null : ((names as Readonly<Record<string, string>>)[field] ?? field);
