// The program of a process that draws cars (car-photos.ts).
import { serveParent } from '../sharing/worker-program.ts';
import { drawCarAtAngle } from './car-angle.ts';
import { type CarView, type DrawnCar, drawCar } from './car-art.ts';
import { drawSvg } from './image-resize.ts';

export interface CarPhotoJob {
  readonly car: DrawnCar;
  readonly view: CarView | 'angle';
  /** The paths to which the results are written. */
  readonly picture: string;
  readonly thumbnail: string;
}

serveParent(({ car, view, picture, thumbnail }: CarPhotoJob) =>
  drawSvg(view === 'angle' ? drawCarAtAngle(car) : drawCar(car, view), picture, thumbnail),
);
