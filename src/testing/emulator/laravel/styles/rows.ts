// The records of the emulator as rows of a response.

import { resultDetails, writeScore } from '../../domain/events.ts';
import { inMicroseconds, withOffset } from '../../domain/timestamps.ts';
import type { Settings } from '../../service/emulator-options.ts';
import type {
  DeliveryRecord,
  EndpointRecord,
  ExamRecord,
  ParticipantRecord,
  ResultRecord,
} from '../../state/records.ts';
import type { Store } from '../../state/store.ts';
import { envelope, type Style, styles } from './styles.ts';

type Row = Record<string, unknown>;

/** A row whose times are written: in UTC with microseconds as of a bare model, or with an offset. */
function written<Values extends object>(
  row: Values,
  times: readonly (keyof Values & string)[],
  { rawModels }: Style,
  utcOffset: number,
): Row {
  const write = (time: unknown) => {
    if (typeof time !== 'number') return time;
    return rawModels ? inMicroseconds(time) : withOffset(time, utcOffset);
  };
  return { ...row, ...Object.fromEntries(times.map((name) => [name, write(row[name])])) };
}

/** A participant in a response. The service documents only its `id`. */
export function participantRow({ style, utcOffset }: Settings, participant: ParticipantRecord): Row {
  const { password: _, ...shown } = participant;
  return written(shown, ['email_verified_at', 'created_at', 'updated_at'], styles[style], utcOffset);
}

/** An exam in a response. The service documents only its `id`. */
export function examRow({ style, utcOffset }: Settings, exam: ExamRecord): Row {
  const { quiz_name: _, ...shown } = exam;
  return written(shown, ['created_at', 'updated_at'], styles[style], utcOffset);
}

/** A result in the list: the fields of its event, under the names that the style uses. */
export function resultRow(settings: Settings, store: Store, result: ResultRecord): Row {
  const style = styles[settings.style];
  const { participant_id, exam_id, start_at, end_at } = result;
  const row = {
    ...(style.rawModels ? { id: result.id, participant_id, exam_id } : { exam_result_id: result.id }),
    ...resultDetails(store, result),
    score: writeScore(result.score, settings.scoreFormat),
    start_at,
    end_at,
  };
  return written(row, ['start_at', 'end_at'], style, settings.utcOffset);
}

/** A webhook endpoint without its secret. */
export function endpointRow({ utcOffset }: Settings, endpoint: EndpointRecord): Row {
  const { secret: _, ...shown } = endpoint;
  const times = ['disabled_at', 'last_success_at', 'last_failure_at', 'created_at'] as const;
  return written(shown, times, envelope, utcOffset);
}

/** A delivery. */
export function deliveryRow({ utcOffset }: Settings, delivery: DeliveryRecord): Row {
  const { endpoint_id: _, ...shown } = delivery;
  return written(shown, ['delivered_at', 'created_at'], envelope, utcOffset);
}
