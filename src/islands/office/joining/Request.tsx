import { useState } from 'react'
import type { JoinRequestRow } from '../../../contract/office-joining.ts'
import { fillText } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { JOIN_REASON_MAX_LENGTH } from '../../../rules/roles.ts'
import { acceptJoining, refreshJoining, refuseJoining } from '../../../stores/office/joining.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { Moment } from '../parts/cells.tsx'
import { ReasonForm } from '../parts/ReasonForm.tsx'
import { useAttempt, useProblemText } from '../parts/use-attempt.tsx'

interface Props {
  request: JoinRequestRow
  /** Receives the message about the decision. */
  onDone: (text: string) => void
}

/** The request of one teacher, with buttons to accept or refuse it. */
export function Request({ request, onDone }: Props) {
  const { id, firstName, lastName, phone, email, subjects, message, confirmedAt } = request
  const locale = useLocale()
  const texts = useTexts('office-review:joining')
  const problemText = useProblemText()
  const [isRefusing, setRefusing] = useState(false)
  const { alert, attempt, isBusy } = useAttempt()
  const name = `${firstName} ${lastName}`.trim()

  const act = (what: 'accepted' | 'refused', work: () => Promise<void>) =>
    attempt(
      async () => {
        onDone('')
        await work()
        onDone(fillText(texts.done[what], { name: `\u2068${name}\u2069` }))
        await refreshJoining()
      },
      async (refusal) => {
        if (refusal.code !== 'done_before') return
        // Another administrator has decided: the refreshed list lacks this request, so tell it above.
        onDone(problemText(refusal))
        await refreshJoining()
      },
    )
  const facts = [
    [texts.subjects, <bdi key="subjects">{subjects}</bdi>],
    [
      texts.phone,
      <a key="phone" dir="ltr" href={`tel:+216${phone}`}>
        {phone}
      </a>,
    ],
    [
      texts.email,
      <a key="email" dir="ltr" href={`mailto:${email}`}>
        {email}
      </a>,
    ],
    [texts.language, texts.languages[request.locale]],
    [texts.since, <Moment key="since" at={confirmedAt} withTime />],
  ] as const
  return (
    <li className="joining__one">
      <h2 className="along" dir="auto">
        {name}
      </h2>
      <dl className="joining__facts">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {message && (
        <blockquote className="joining__message along" dir="auto">
          {message}
        </blockquote>
      )}
      {alert}
      {isRefusing ? (
        <ReasonForm
          most={JOIN_REASON_MAX_LENGTH}
          hint={fillText(texts.reasonHint, { language: texts.languages[request.locale] })}
          texts={texts}
          isBusy={isBusy}
          onSend={(reason) => act('refused', () => refuseJoining(id, reason))}
          onCancel={() => setRefusing(false)}
        />
      ) : (
        <p className="joining__acts">
          <button
            type="button"
            className="button button--primary"
            aria-busy={isBusy}
            aria-label={labelled(locale, texts.accept, name)}
            onClick={() => act('accepted', () => acceptJoining(id))}
          >
            {texts.accept}
          </button>
          <button
            type="button"
            className="button"
            aria-label={labelled(locale, texts.refuse, name)}
            onClick={() => setRefusing(true)}
          >
            {texts.refuse}
          </button>
        </p>
      )}
    </li>
  )
}
