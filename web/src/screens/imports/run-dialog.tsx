// Starts a run: the file, and whether it is a trial, which is offered first.
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { ApiError } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { useWrite } from '../../parts/form/form-write.ts';
import { Checkbox } from '../../parts/input/choices.tsx';
import { Field } from '../../parts/input/field.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { fileOf, keepFile, type RunInput, startRun, useImportsChanged } from './data.ts';
import { FileInput, fileProblem, wholeFile } from './file-input.tsx';
import { runTexts } from './run-texts.ts';
import type { Connector } from './wire.ts';

interface RunDialogProps {
  readonly connector: Connector;
  /** Whether a trial run is preselected. */
  readonly dryFirst: boolean;
  readonly onClose: () => void;
}

/** Mounted while it is open. */
export function RunDialog({ connector, dryFirst, onClose }: RunDialogProps) {
  const t = useTexts(runTexts);
  const p = useTexts(partsTexts);
  const id = useId();
  const [file, setFile] = useState<File | null>(fileOf(connector.id) ?? null);
  const [isDry, setDry] = useState(dryFirst);
  const { start, problem, isBusy, forget } = useStart(connector);
  const takesFile = connector.transport === 'inline';
  return (
    <Dialog
      open
      onClose={() => !isBusy && onClose()}
      title={t.runDialog(connector.name)}
      footer={
        <>
          <Button onClick={onClose}>{p.cancel}</Button>
          <Button look="primary" type="submit" form={id} busy={isBusy}>
            {isDry ? t.startDry : t.startReal}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void start(takesFile ? file : null, isDry);
        }}
        className="flex flex-col gap-4 py-1"
      >
        {takesFile ? (
          <Field label={t.transports.inline} {...(problem ? { error: problem } : {})}>
            <FileInput
              file={file}
              onChoose={(chosen) => {
                setFile(chosen);
                forget();
              }}
            />
          </Field>
        ) : (
          <>
            <p className="m-0 wrap-anywhere">{t.fetched(connector.config.url ?? '')}</p>
            {problem && (
              <p role="alert" className="m-0 text-13 font-medium text-danger">
                {problem}
              </p>
            )}
          </>
        )}
        <Checkbox label={t.dryFirst} hint={isDry ? t.dryFirstHint : t.realHint} checked={isDry} onChange={setDry} />
      </form>
    </Dialog>
  );
}

/** Starts a run and goes to its page; errors are shown here. */
export function useStart(connector: Pick<Connector, 'id' | 'transport'>) {
  const t = useTexts(runTexts);
  const p = useTexts(partsTexts);
  const navigate = useNavigate();
  const changed = useImportsChanged();
  const [fault, setFault] = useState<string | null>(null);
  const write = useWrite({
    send: (input: RunInput, headers) => startRun(input, headers),
    onDone: async (run) => {
      void changed();
      await navigate({ to: '/ice-aktarim/calismalar/$runId', params: { runId: run.id } });
    },
  });
  const start = async (chosen: File | null, dryRun: boolean): Promise<void> => {
    if (connector.transport === 'url') return write.run({ connectorId: connector.id, file: null, dryRun });
    const refused = chosen === null ? t.noFile : fileProblem(chosen, t);
    const file = chosen === null || refused !== null ? null : await wholeFile(chosen);
    setFault(refused ?? (file === null ? t.fileChanged : null));
    if (file === null) return;
    keepFile(connector.id, chosen!);
    write.run({ connectorId: connector.id, file, dryRun });
  };
  const refusal = write.error instanceof ApiError ? detailOf(write.error) : write.error ? p.offline : null;
  return { start, problem: fault ?? refusal, isBusy: write.isPending, forget: () => setFault(null) };
}

const detailOf = (error: ApiError): string => error.details[0]?.message ?? error.message;
