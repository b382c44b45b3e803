// The records of the emulator as rows of a response.

import { resultDetails, writeScore } from '../../domain/events.ts';
import { withOffset } from '../../domain/timestamps.ts';
import type { Settings } from '../../service/emulator-options.ts';
import type {
  DeliveryRecord,
  EndpointRecord,
  ExamRecord,
  ParticipantRecord,
  ResultRecord,
} from '../../state/records.ts';
import type { Store } from '../../state/store.ts';
import { timestamps } from './style.ts';
import { styles } from './styles.ts';

type Row = Record<string, unknown>;

/** A participant in a response. The service documents only its `id`. */
export function participantRow(settings: Settings, participant: ParticipantRecord): Row {
  const { password: _, email_verified_at: verified, created_at, updated_at, ...shown } = participant;
  const time = timestamps(styles[settings.style], settings.utcOffset);
  return {
    ...shown,
    email_verified_at: verified === null ? null : time(verified),
    created_at: time(created_at),
    updated_at: time(updated_at),
  };
}

/** An exam in a response. The service documents only its `id`. */
export function examRow(
  settings: Settings,
  { id, name, name_short, created_at, updated_at }: ExamRecord,
): Row {
  const time = timestamps(styles[settings.style], settings.utcOffset);
  return { id, name, name_short, created_at: time(created_at), updated_at: time(updated_at) };
}

/** A result in the list: the fields of its event, under the names that the style uses. */
export function resultRow(settings: Settings, store: Store, result: ResultRecord): Row {
  const style = styles[settings.style];
  const time = timestamps(style, settings.utcOffset);
  const { participant_id, exam_id } = result;
  return {
    ...(style.models ? { id: result.id, participant_id, exam_id } : { exam_result_id: result.id }),
    ...resultDetails(store, result),
    score: writeScore(result.score, settings.scoreFormat),
    start_at: time(result.start_at),
    end_at: time(result.end_at),
  };
}

/** A webhook endpoint without its secret. */
export function endpointRow({ utcOffset }: Settings, endpoint: EndpointRecord): Row {
  const { secret: _, ...shown } = endpoint;
  const time = (moment: number | null) => (moment === null ? null : withOffset(moment, utcOffset));
  return {
    ...shown,
    disabled_at: time(endpoint.disabled_at),
    last_success_at: time(endpoint.last_success_at),
    last_failure_at: time(endpoint.last_failure_at),
    created_at: time(endpoint.created_at),
  };
}

/** A delivery. */
export function deliveryRow({ utcOffset }: Settings, delivery: DeliveryRecord): Row {
  const { endpoint_id: _, ...shown } = delivery;
  return {
    ...shown,
    delivered_at: delivery.delivered_at === null ? null : withOffset(delivery.delivered_at, utcOffset),
    created_at: withOffset(delivery.created_at, utcOffset),
  };
}
