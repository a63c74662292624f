// Opens the tracer of a process, if traces are exported. Its code is not loaded otherwise.
import { type Config, VERSION } from '../../config.ts';
import type { Figures } from '../../domain/sharing/figures.ts';
import type { OtlpTracer } from '../../domain/tracing/otlp-tracer.ts';
import { showTraces } from '../../http/process-figures.ts';
import type { Log } from '../../kit/log.ts';

export async function openTracing({ tracing, nodeName }: Config, figures: Figures, log: Log): Promise<OtlpTracer | null> {
  if (tracing === null) return null;
  const { openTracer } = await import('../../domain/tracing/otlp-tracer.ts');
  const resource = { 'service.version': VERSION, 'host.name': nodeName, 'process.pid': process.pid };
  const tracer = openTracer({ config: tracing, resource, log });
  showTraces(figures, tracer);
  return tracer;
}
