// Time zones to choose from: those of our dealers first, then all that the browser knows.
const NEAR = ['Europe/Istanbul', 'Asia/Famagusta', 'Asia/Nicosia', 'Europe/London'];

interface ZoneOption {
  readonly value: string;
  readonly label: string;
}

const offsets = new Map<string, string>();

/** `Europe/Istanbul (GMT+3)`; the plain name where the browser does not know the zone. */
function labelOf(zone: string): string {
  let offset = offsets.get(zone);
  if (offset === undefined) {
    try {
      const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts();
      offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    } catch {
      offset = '';
    }
    offsets.set(zone, offset);
  }
  return offset === '' ? zone : `${zone} (${offset})`;
}

export function zoneOptions(current: string): readonly ZoneOption[] {
  const known = Intl.supportedValuesOf('timeZone');
  const first = NEAR.includes(current) || current === '' ? NEAR : [...NEAR, current];
  return [...first, ...known.filter((zone) => !first.includes(zone))].map((value) => ({ value, label: labelOf(value) }));
}
