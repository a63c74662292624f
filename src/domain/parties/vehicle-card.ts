// Another dealer's car with its visible fields. Read from the views `network_listings` (published by a dealer of the network) and
// `shown_cards` (named by a record to which the account is a side), which have no other columns
// (docs/decisions/0047-dealers-see-each-other.md).
import type { FileLink } from '../../kit/endpoint.ts';
import { arrayOf, currency, day, integer, money, nullable, type Of, object, text } from '../../kit/schema.ts';
import { rawSql, type Sql } from '../../kit/sql.ts';

const Condition = object({
  painted: arrayOf(text('Sol Ön Kapı')),
  locally_painted: arrayOf(text('Tavan')),
  replaced: arrayOf(text('Ön Tampon')),
  tramer_amount: nullable(money('42000.00')),
  tramer_currency: nullable(currency()),
  expertise_document_id: nullable(text()),
});

export const VehicleCard = object({
  brand: text('Volkswagen'),
  model: text('Golf'),
  model_year: integer(),
  km: integer(),
  fuel_type: text('Benzin'),
  transmission: text('Otomatik'),
  body_type: text('Hatchback'),
  color: text('Beyaz'),
  city: text('Lefkoşa'),
  engine_cc: nullable(integer()),
  power_hp: nullable(integer()),
  drive: nullable(text('Önden')),
  steering: nullable(text('Sağ')),
  doors: nullable(integer()),
  seats: nullable(integer()),
  owners: nullable(integer()),
  inspection_until: nullable(day()),
  equipment: nullable(arrayOf(text('Cam tavan'))),
  warranty: nullable(text('2 yıl ya da 40.000 km')),
  photos: arrayOf(text('https://galeri.example.com/files/AZqL3kQ…')),
  condition: nullable(Condition),
});
export type VehicleCard = Of<typeof VehicleCard>;

/** As in the views: photos by link or by file, none of the owner's documents. */
export type StoredCard = Omit<VehicleCard, 'photos' | 'condition'> & {
  readonly account_id: string;
  readonly photos: readonly { readonly url: string | null; readonly file_id: string | null }[];
  readonly condition: Omit<Of<typeof Condition>, 'expertise_document_id'> | null;
};

const COLUMNS = ['account_id', ...Object.keys(VehicleCard.shape)];

/** A StoredCard as JSON, where `alias` is a row of network_listings or of shown_cards. */
export const cardJson = (alias: string): Sql =>
  rawSql(`json_build_object(${COLUMNS.map((name) => `'${name}', ${alias}.${name}`).join(', ')})`);

export const shownCards = (alias: string): Sql => rawSql(`shown_cards ${alias}`);

/** Links to files of the car's owner. */
export type LinkTo = (fileId: string, owner: string) => FileLink;

/** For events and other stored texts: signed links would soon expire, and until then open the file for anyone. */
export const NO_LINKS = null;

export function shownCard(card: StoredCard, linkTo: LinkTo | typeof NO_LINKS): VehicleCard {
  const { account_id: owner, photos, condition, ...fields } = card;
  const urlOf = ({ url, file_id }: (typeof photos)[number]) => url ?? linkTo?.(file_id!, owner).url;
  return {
    ...fields,
    photos: photos.map(urlOf).filter((url) => url !== undefined),
    condition: condition && {
      painted: condition.painted,
      locally_painted: condition.locally_painted,
      replaced: condition.replaced,
      tramer_amount: condition.tramer_amount,
      tramer_currency: condition.tramer_currency,
      expertise_document_id: null,
    },
  };
}
