// Programs that verify deliveries, in three languages: those of the reference page, which the tests run.
import node from '../../../../src/http/docs/samples/docs-receiver.mjs?raw';
import php from '../../../../src/http/docs/samples/docs-receiver.php?raw';
import python from '../../../../src/http/docs/samples/docs-receiver.py?raw';

export const SECRET_NAME = 'GALERI_WEBHOOK_SECRET';

export const SAMPLES = { Node: node, Python: python, PHP: php } as const;
