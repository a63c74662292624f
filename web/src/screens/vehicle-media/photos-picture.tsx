// A picture whose link may have expired: links are refreshed and it is tried once more before it counts as missing.
import { type ReactNode, useState } from 'react';
import { refetchLinks } from './photo-data.ts';

interface PictureProps {
  readonly vehicleId: string;
  readonly source: string;
  /** '' where the parent element has a name. */
  readonly alt: string;
  readonly className: string;
  /** The picture that a screen is about: fetched before others. */
  readonly isMain?: boolean;
  /** Shown if the picture cannot be loaded. */
  readonly children: ReactNode;
}

/** Remounted for each new link. */
export const Picture = (props: PictureProps) => <Tried key={props.source} {...props} />;

function Tried({ vehicleId, source, alt, className, isMain, children }: PictureProps) {
  const [failures, setFailures] = useState(0);
  if (failures > 1) return children;
  const failed = async () => {
    if (failures === 0) await refetchLinks(vehicleId);
    setFailures(failures + 1);
  };
  return (
    <img
      key={failures}
      src={source}
      alt={alt}
      decoding="async"
      fetchPriority={isMain ? 'high' : 'auto'}
      draggable={false}
      onError={failed}
      className={className}
    />
  );
}
