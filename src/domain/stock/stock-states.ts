// The fixed values of the stock: statuses and kinds of vehicles, reservations and listings. The panel in the browser imports them too.

export const VEHICLE_STATUSES = ['Stokta', 'Rezerve', "Auction'da", 'Satıldı'] as const;

export type VehicleStatus = (typeof VEHICLE_STATUSES)[number];

export const FUEL_TYPES = ['Benzin', 'Dizel', 'LPG', 'Benzin+LPG', 'Hibrit', 'Elektrik'] as const;

export const TRANSMISSIONS = ['Manuel', 'Otomatik', 'Yarı Otomatik'] as const;

export const BODY_TYPES = [
  'Sedan',
  'Hatchback',
  'SUV',
  'Station Wagon',
  'Coupe',
  'Cabrio',
  'Pick-up',
  'Minivan',
  'Panelvan',
  'Diğer',
] as const;

/** In the order in which a car's condition names them. */
export const BODY_PARTS = [
  'Motor Kaputu',
  'Tavan',
  'Bagaj Kapağı',
  'Ön Tampon',
  'Arka Tampon',
  'Sol Ön Çamurluk',
  'Sağ Ön Çamurluk',
  'Sol Arka Çamurluk',
  'Sağ Arka Çamurluk',
  'Sol Ön Kapı',
  'Sağ Ön Kapı',
  'Sol Arka Kapı',
  'Sağ Arka Kapı',
] as const;

export type BodyPart = (typeof BODY_PARTS)[number];

export const DRIVES = ['Önden', 'Arkadan', '4x4'] as const;

export const STEERING_SIDES = ['Sol', 'Sağ'] as const;

export const VEHICLE_SOURCES = ['Satın Alma', 'Takas', 'Konsinye', 'İthalat'] as const;

export const RESERVATION_KINDS = ['Müşteri', 'Ağ Teklifi', 'Takas', 'İhale', 'Canlı Müzayede', 'Pazar Teklifi'] as const;

export const LISTING_STATUSES = ['Yayında', 'Askıda', 'Kapandı'] as const;

export const CLOSE_REASONS = ['kaldırıldı', 'satıldı', 'ihalede', 'silindi'] as const;

export type CloseReason = (typeof CLOSE_REASONS)[number];
