// For commands that work on the database of the service, whether it runs or not.
import { type Config, readConfig } from '../config.ts';
import { CONSEQUENCES } from '../domain/consequences.ts';
import type { Files } from '../domain/files/file-store.ts';
import { openFiles } from '../domain/files/open-files.ts';
import { createWriter, type Writer } from '../domain/writes/write.ts';
import type { Clock } from '../kit/clock.ts';
import { type Connected, connect } from '../postgres/connect.ts';
import { WORLD_PEOPLE } from '../sandbox/people/people.ts';
import { progress } from './command.ts';

/** For commands that write dealers' data. */
export function openWriter({ database, secrets }: Connected, config: Config, clock: Clock): Writer {
  let opened: Promise<Files> | undefined;
  const files = () => {
    opened ??= openFiles(config);
    return opened;
  };
  const publicUrl = () => config.publicUrl ?? `http://${config.host}:${config.port}`;
  const { loopbackTargets } = config;
  const [consequences, worldPeople] = [CONSEQUENCES, WORLD_PEOPLE];
  return createWriter({ database, secrets, clock, loopbackTargets, consequences, worldPeople, publicUrl, files });
}

/** Opens the database (the running one, or one that is started for this command), runs the work and closes it. */
export async function withDatabase<T>(work: (connected: Connected, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const connected = await connect(config, progress);
  try {
    return await work(connected, config);
  } finally {
    await connected.close();
  }
}
