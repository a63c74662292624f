// `include=photos` of vehicles.
import type { Include, Includes } from '../../kit/endpoint.ts';
import { arrayOf } from '../../kit/schema.ts';
import { Photo, photosOf } from './photo.ts';

const photos: Include = {
  of: 'GET vehicles/{vehicle_id}/photos',
  schema: arrayOf(Photo),
  // The links expire.
  fresh: true,
  read: async ({ db, linkTo }, records) => {
    const found = Map.groupBy(
      await photosOf(
        db,
        records.map(({ id }) => id as string),
        linkTo,
      ),
      ({ vehicle_id }) => vehicle_id,
    );
    return records.map(({ id }) => found.get(id as string) ?? []);
  },
};

export const WITH_PHOTOS: Includes = { photos };
