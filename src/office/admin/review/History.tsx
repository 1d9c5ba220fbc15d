import type { ReviewPage } from '../../../contract/office-review.ts'
import { labelled } from '../../../i18n/listed.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { eventText } from '../../documents/documents.tsx'
import { useActorName } from '../../kit/office-texts.ts'
import { Moment } from '../../kit/tables/cells.tsx'

export function History({ review: { history } }: { review: Pick<ReviewPage, 'history'> }) {
  const texts = useTexts('office-review:page')
  const locale = useLocale()
  const actorName = useActorName()
  const words = useTexts('office-documents:amounts')
  const fields = useTexts('office-documents:fields')
  return (
    <section className="stack">
      <h3>{texts.history}</h3>
      <ol className="review__history stack gap-2">
        {history.map(({ at, action, who, reason, field, ...event }) => (
          <li key={`${at} ${action}`}>
            <p className="cluster gap-4 lines-1">
              <Moment at={at} withTime />
              <span>{eventText(locale, { ...words, text: texts.actions[action] }, event)}</span>
              <bdi className="soft">{actorName(who)}</bdi>
            </p>
            {reason && (
              <p className="soft along as-written" dir="auto">
                {field && <strong>{labelled(locale, fields[field], '')}</strong>}
                {reason}
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
