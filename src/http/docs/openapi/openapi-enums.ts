// Names of the fixed sets of values, by the values themselves: a set is called the same in every record, request and parameter.
import { REMINDER_CHANNELS } from '../../../domain/accounts/accounts-states.ts';
import { ACTIVITY_KINDS, ACTIVITY_SOURCES, CUSTOMER_KINDS, RISK_LEVELS } from '../../../domain/customers/customer-states.ts';
import { RELATIONSHIPS } from '../../../domain/customers/guarantor.ts';
import { APPLIED_SOURCES, CANONICAL_PAIRS, PAIRS, RATE_SOURCES, SHOWN_SOURCES } from '../../../domain/exchange-rates/rates.ts';
import { ROLES } from '../../../domain/identity/roles.ts';
import { CONNECTOR_STATUSES, RUN_STATUSES } from '../../../domain/imports/connectors/connector.ts';
import { IMPORT_TARGETS, KEY_FIELDS, TRANSPORTS } from '../../../domain/imports/connectors/connector-config.ts';
import { SCHEDULES } from '../../../domain/imports/connectors/connector-schedule.ts';
import { CONNECTOR_TYPES, ENCODINGS } from '../../../domain/imports/source-form.ts';
import {
  ALL_METHODS,
  COLLECTION_METHODS,
  COLLECTION_STATUSES,
  COLLECTION_TYPES,
  CUSTOM_KINDS,
  DEPOSIT_STATUSES,
  DISCOUNT_REASONS,
  DISPOSITIONS,
  INSTALLMENT_KINDS,
  INSTALLMENT_STATUSES,
  LEGAL_STAGES,
  PAYMENT_TYPES,
  PERIODS,
  PROMISE_STATUSES,
  REVERSAL_CODES,
  ROUND_TO,
  SALE_STATUSES,
  TITLE_STATUSES,
} from '../../../domain/installments/sales-states.ts';
import { NOTIFICATION_KINDS } from '../../../domain/notifications/notification.ts';
import { SUMMARY_GROUPS } from '../../../domain/receivables/collection-summary.ts';
import {
  BODY_PARTS,
  BODY_TYPES,
  FUEL_TYPES,
  RESERVATION_KINDS,
  TRANSMISSIONS,
  VEHICLE_SOURCES,
  VEHICLE_STATUSES,
} from '../../../domain/stock/stock-states.ts';
import { EXPORT_FORMATS } from '../../../domain/stock/vehicle-export.ts';
import { HISTORY_EVENTS } from '../../../domain/stock/vehicle-history.ts';
import { TASK_PRIORITIES, TASK_STATUSES } from '../../../domain/tasks/task-states.ts';
import { STOP_REASONS, WEBHOOK_STATUSES } from '../../../domain/webhooks/webhook.ts';
import { DELIVERY_STATUSES } from '../../../domain/webhooks/webhook-delivery.ts';
import { EVENT_KINDS } from '../../../domain/writes/event-kinds.ts';
import { CURRENCIES } from '../../../kit/money.ts';
import { SORTS } from '../../../kit/page.ts';

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Currency: CURRENCIES,
    Country: ['KKTC', 'TR'],
    SortOrder: SORTS,
    Locale: ['tr', 'en'],
    AccountStatus: ['Aktif', 'Askıda'],
    KeyEnvironment: ['production', 'sandbox'],
    StaffRole: ROLES,
    ReminderChannel: REMINDER_CHANNELS,
    RateSource: RATE_SOURCES,
    ShownRateSource: SHOWN_SOURCES,
    CurrencyPair: PAIRS,
    VehicleStatus: VEHICLE_STATUSES,
    VehicleSource: VEHICLE_SOURCES,
    VehicleSoldVia: ['Satış', 'Harici'],
    FuelType: FUEL_TYPES,
    Transmission: TRANSMISSIONS,
    BodyType: BODY_TYPES,
    BodyPart: BODY_PARTS,
    ReservationKind: RESERVATION_KINDS,
    VehicleHistoryEvent: HISTORY_EVENTS,
    ActorType: ['api_key', 'panel', 'system'],
    ExportFormat: EXPORT_FORMATS,
    VideoProvider: ['youtube', 'vimeo', 'other'],
    CustomerKind: CUSTOMER_KINDS,
    RiskLevel: RISK_LEVELS,
    ActivityKind: ACTIVITY_KINDS,
    LoggedActivityKind: ACTIVITY_KINDS.filter((kind) => kind !== 'Sistem'),
    ActivitySource: ACTIVITY_SOURCES,
    GuarantorRelationship: RELATIONSHIPS,
    SaleStatus: SALE_STATUSES,
    PaymentType: PAYMENT_TYPES,
    TitleStatus: TITLE_STATUSES,
    LegalStage: LEGAL_STAGES,
    Disposition: DISPOSITIONS,
    Period: PERIODS,
    RoundTo: ROUND_TO,
    InstallmentKind: INSTALLMENT_KINDS,
    CustomInstallmentKind: CUSTOM_KINDS,
    InstallmentStatus: INSTALLMENT_STATUSES,
    CollectionType: COLLECTION_TYPES,
    CollectionStatus: COLLECTION_STATUSES,
    CollectionMethod: ALL_METHODS,
    PaymentMethod: COLLECTION_METHODS,
    DiscountReason: DISCOUNT_REASONS,
    DepositStatus: DEPOSIT_STATUSES,
    ReversalCode: REVERSAL_CODES,
    PromiseStatus: PROMISE_STATUSES,
    CollectionGrouping: SUMMARY_GROUPS,
    CanonicalPair: CANONICAL_PAIRS,
    AppliedRateSource: APPLIED_SOURCES,
    TaskStatus: TASK_STATUSES,
    TaskPriority: TASK_PRIORITIES,
    NotificationKind: NOTIFICATION_KINDS,
    ConnectorStatus: CONNECTOR_STATUSES,
    ConnectorType: CONNECTOR_TYPES,
    ConnectorTransport: TRANSPORTS,
    ConnectorSchedule: SCHEDULES,
    ConnectorEncoding: ENCODINGS,
    ConnectorKeyField: KEY_FIELDS,
    ConnectorDelimiter: [',', ';', '\t', '|'],
    ImportTarget: IMPORT_TARGETS,
    ImportRunStatus: RUN_STATUSES,
    ImportRunTrigger: ['Elle', 'Zamanlı'],
    WebhookStatus: WEBHOOK_STATUSES,
    WebhookStopReason: STOP_REASONS,
    DeliveryStatus: DELIVERY_STATUSES,
    EventKind: EVENT_KINDS,
    UsageGrouping: ['day', 'hour'],
    HttpMethod: ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'],
  }).map(([name, values]) => [JSON.stringify(values), name]),
);

/** A set that is not listed is named after its field. */
export const enumNameOf = (values: readonly (string | number)[], field: string): string =>
  NAMES.get(JSON.stringify(values)) ?? field;

/** Names of the members for generated clients, in letters that every language takes: `Auction'da` → `AuctionDa`, `STG-TL` → `StgTl`. */
export function memberNamesOf(values: readonly string[]): string[] {
  const made = values.map(
    (value) =>
      SIGNS[value] ??
      value
        .split(/[^\p{L}\p{N}]+/u)
        .map(memberWord)
        .join(''),
  );
  // Values that differ only in punctuation (`Benzin`, `Benzin+`) get different names; no name begins with a digit.
  const apart = made.map((name, index) => (made.indexOf(name) === index ? name : `${name}${index + 1}`));
  return apart.map((name) => (/^\d/.test(name) ? `N${name}` : name));
}

const SIGNS: Readonly<Record<string, string>> = {
  '-created_at': 'CreatedAtDescending',
  '-updated_at': 'UpdatedAtDescending',
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Pipe',
};

const TURKISH: Readonly<Record<string, string>> = {
  ı: 'i',
  İ: 'I',
  ğ: 'g',
  Ğ: 'G',
  ş: 's',
  Ş: 'S',
  ç: 'c',
  Ç: 'C',
  ö: 'o',
  Ö: 'O',
  ü: 'u',
  Ü: 'U',
  â: 'a',
  Â: 'A',
};

function memberWord(word: string): string {
  const latin = word.replace(/[ıİğĞşŞçÇöÖüÜâÂ]/g, (letter) => TURKISH[letter]!);
  const rest = latin.slice(1);
  return latin.charAt(0).toUpperCase() + (rest === rest.toUpperCase() ? rest.toLowerCase() : rest);
}
