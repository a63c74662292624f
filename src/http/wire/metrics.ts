// Metrics of requests for Prometheus, served on a separate loopback port.
import { createFigures, type Figures, type Sample } from '../../domain/sharing/figures.ts';

export interface Metrics extends Figures {
  /** `endpoint`: the id of an endpoint of the API; null for the panel and for paths that are none. */
  answered(status: number, errorCode: string | null, durationMs: number, endpoint?: string | null): void;
}

/** Upper bounds of the histogram in seconds. */
const EDGES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const answers = new Map<string, number>();
  const successes: Record<number, number> = {};
  /** By endpoint: replies of each class, 1xx to 5xx. */
  const classes = new Map<string, number[]>();
  const buckets = new Array<number>(EDGES.length + 1).fill(0);
  const figures = createFigures();
  let sum = 0;
  let count = 0;
  figures.counter('galeri_requests_total', 'Requests answered by the API and the panel.', () => [
    ...Object.entries(successes).map(([status, value]): Sample => [`status="${status}",code=""`, value]),
    ...answers,
  ]);
  figures.counter('galeri_endpoint_requests_total', 'Requests answered by the API, by endpoint and class of status.', () =>
    [...classes].flatMap(([endpoint, counts]) =>
      counts.flatMap((value, index): Sample[] => (value === 0 ? [] : [[`endpoint="${endpoint}",class="${index + 1}xx"`, value]])),
    ),
  );
  const histogram = (): string => {
    const lines = ['# HELP galeri_request_seconds Time to answer.', '# TYPE galeri_request_seconds histogram'];
    let total = 0;
    EDGES.forEach((edge, index) => {
      total += buckets[index]!;
      lines.push(`galeri_request_seconds_bucket{le="${edge}"} ${total}`);
    });
    lines.push(`galeri_request_seconds_bucket{le="+Inf"} ${count}`, `galeri_request_seconds_sum ${sum}`);
    return `${lines.join('\n')}\ngaleri_request_seconds_count ${count}\n`;
  };
  return {
    ...figures,
    answered(status, errorCode, durationMs, endpoint = null) {
      if (errorCode === null) successes[status] = (successes[status] ?? 0) + 1;
      else {
        const labels = `status="${status}",code="${errorCode}"`;
        answers.set(labels, (answers.get(labels) ?? 0) + 1);
      }
      if (endpoint !== null) {
        const counts = classes.get(endpoint) ?? [0, 0, 0, 0, 0];
        counts[Math.floor(status / 100) - 1]! += 1;
        classes.set(endpoint, counts);
      }
      const seconds = durationMs / 1000;
      let index = 0;
      while (index < EDGES.length && seconds > EDGES[index]!) index += 1;
      buckets[index]! += 1;
      sum += seconds;
      count += 1;
    },
    text: () => `${figures.text()}${histogram()}`,
    readAll: async () => `${await figures.readAll()}${histogram()}`,
  };
}
