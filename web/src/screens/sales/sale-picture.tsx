import { useCarPictures } from '../../records/vehicles/car-pictures.tsx';
import { CarThumb } from '../../records/vehicles/car-thumb.tsx';

/** The car that was sold; its place is kept until it is read. */
export function SalePicture({ vehicleId }: { readonly vehicleId: string }) {
  const car = useCarPictures([vehicleId]).get(vehicleId);
  return car ? <CarThumb car={car} className="h-16 w-24" /> : null;
}
