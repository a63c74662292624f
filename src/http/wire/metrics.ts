// Metrics for Prometheus, served on a separate loopback port.

export interface Metrics {
  answered(status: number, errorCode: string | null, durationMs: number): void;
  /** A value that is read on each request. */
  gauge(name: string, help: string, read: () => number): void;
  text(): string;
}

/** Upper bounds of the histogram in seconds. */
const EDGES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const answers = new Map<string, number>();
  const successes: Record<number, number> = {};
  const buckets = new Array<number>(EDGES.length + 1).fill(0);
  const gauges: { name: string; help: string; read: () => number }[] = [];
  let sum = 0;
  let count = 0;
  return {
    answered(status, errorCode, durationMs) {
      if (errorCode === null) successes[status] = (successes[status] ?? 0) + 1;
      else {
        const label = `status="${status}",code="${errorCode}"`;
        answers.set(label, (answers.get(label) ?? 0) + 1);
      }
      const seconds = durationMs / 1000;
      let index = 0;
      while (index < EDGES.length && seconds > EDGES[index]!) index += 1;
      buckets[index]! += 1;
      sum += seconds;
      count += 1;
    },
    gauge: (name, help, read) => gauges.push({ name, help, read }),
    text() {
      const lines = ['# HELP galeri_requests_total Requests answered by the API.', '# TYPE galeri_requests_total counter'];
      for (const [status, value] of Object.entries(successes))
        lines.push(`galeri_requests_total{status="${status}",code=""} ${value}`);
      for (const [label, value] of answers) lines.push(`galeri_requests_total{${label}} ${value}`);
      lines.push('# HELP galeri_request_seconds Time to answer.', '# TYPE galeri_request_seconds histogram');
      let total = 0;
      EDGES.forEach((edge, index) => {
        total += buckets[index]!;
        lines.push(`galeri_request_seconds_bucket{le="${edge}"} ${total}`);
      });
      lines.push(
        `galeri_request_seconds_bucket{le="+Inf"} ${count}`,
        `galeri_request_seconds_sum ${sum}`,
        `galeri_request_seconds_count ${count}`,
      );
      for (const { name, help, read } of gauges)
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${read()}`);
      return `${lines.join('\n')}\n`;
    },
  };
}
