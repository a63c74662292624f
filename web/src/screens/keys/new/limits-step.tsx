// The second step: name and limits.
import { FREE_PER_MINUTE } from './draft-problems.ts';
import {
  AddressField,
  AskFields,
  EnvironmentField,
  ExpiryField,
  type FieldsProps,
  LimitFields,
  NameField,
} from './settings-fields.tsx';

interface LimitsProps extends FieldsProps {
  readonly address: string;
  readonly sandboxShared: boolean;
}

export function LimitsStep({ address, sandboxShared, ...fields }: LimitsProps) {
  return (
    <div className="card flex max-w-[760px] flex-col gap-5 p-4 sm:p-5">
      <NameField {...fields} />
      <EnvironmentField {...fields} sandboxShared={sandboxShared} />
      <ExpiryField {...fields} />
      <LimitFields {...fields} max={FREE_PER_MINUTE} />
      <AskFields {...fields} />
      <AddressField {...fields} address={address} />
    </div>
  );
}
