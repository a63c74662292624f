// The log of a served process: each JSON line names the machine and the version, and the trace that it belongs to, if there is one.
import { type Config, VERSION } from '../../config.ts';
import { currentSpan } from '../../domain/tracing/spans.ts';
import { createLog, type Log } from '../../kit/log.ts';

export function openLog({ logLevel, nodeName }: Config, to?: NodeJS.WriteStream): Log {
  return createLog(logLevel, to, {
    node: nodeName,
    version: VERSION,
    get trace_id() {
      return currentSpan()?.traceId;
    },
  });
}
