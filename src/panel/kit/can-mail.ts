// Whether mail that a dealer sets up is made: with a mail server, and always in a world, where it is kept and not sent.
import { isInWorld } from '../../domain/worlds/messages.ts';
import type { Db } from '../../kit/db.ts';
import type { PanelServices } from './services.ts';

export const canMailFor = async (db: Db, { canMail }: Pick<PanelServices, 'canMail'>): Promise<boolean> =>
  canMail || isInWorld(db);
