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

export const VEHICLE_SOURCES = ['Satın Alma', 'Takas', 'Konsinye', 'İthalat'] as const;

export const RESERVATION_KINDS = ['Müşteri', 'Ağ Teklifi', 'Takas', 'İhale', 'Canlı Müzayede', 'Pazar Teklifi'] as const;

export const LISTING_STATUSES = ['Yayında', 'Askıda', 'Kapandı'] as const;

export const CLOSE_REASONS = ['kaldırıldı', 'satıldı', 'ihalede', 'silindi'] as const;

export type CloseReason = (typeof CLOSE_REASONS)[number];
