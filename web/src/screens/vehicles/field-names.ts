import { useTexts } from '../../language.ts';
import { carFactsTexts } from '../../records/vehicles/car-facts.ts';
import { conditionTexts } from './condition-texts.ts';
import { vehiclesTexts } from './texts.ts';
import { vehicleWriteTexts } from './write-texts.ts';

/** The labels of fields, which replace the server's field names in messages. */
export function useFieldNames(): Readonly<Record<string, string>> {
  const t = useTexts(vehiclesTexts);
  const w = useTexts(vehicleWriteTexts);
  const c = useTexts(conditionTexts);
  return {
    brand: t.brand,
    model: t.model,
    model_year: t.modelYear,
    km: t.km,
    fuel_type: t.fuel,
    transmission: t.transmission,
    body_type: t.body,
    color: t.color,
    plate: t.plate,
    city: t.city,
    price: t.price,
    currency: t.currency,
    trim: t.trim,
    description: t.descriptionTitle,
    branch_id: t.branch,
    stock_date: t.stockDate,
    source: t.source,
    external_ref: t.externalRef,
    status: t.status,
    is_marketplace_visible: t.visible,
    sold_at: t.soldAt,
    sold_via: t.soldVia,
    deleted_at: w.deletedOn,
    photo_count: t.photos,
    ...useTexts(carFactsTexts),
    condition: c.title,
    'condition.locally_painted': c.title,
    'condition.painted': c.title,
    'condition.replaced': c.title,
    'condition.tramer_amount': c.tramer,
    ...w.kept,
  };
}
