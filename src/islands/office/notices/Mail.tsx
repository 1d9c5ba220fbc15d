import { useState } from 'react'
import type { MailState } from '../../../contract/office-desk.ts'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { sendTestMail } from '../../../stores/office/notices.ts'
import { useLocale } from '../../parts/island.tsx'
import { StateMark } from '../parts/cells.tsx'
import { momentText } from '../parts/dates.ts'
import { useAttempt } from '../parts/use-attempt.tsx'
import { useTexts } from './texts.ts'

type SentTest = Awaited<ReturnType<typeof sendTestMail>>

/** Where mails go, what failed last, and a button that sends a test mail. */
export function Mail({ mail }: { mail: MailState }) {
  const locale = useLocale()
  const { mail: texts } = useTexts('office-notices:page')
  const { alert, attempt, isBusy } = useAttempt()
  const [tested, setTested] = useState<SentTest | null>(null)
  const { kind, place, trouble, waiting, givenUp } = mail
  const test = () =>
    attempt(async () => {
      setTested(null)
      setTested(await sendTestMail())
    })
  const state = () => {
    if (trouble?.since) {
      const text = fillText(texts.fails, { at: momentText(locale, trouble.since) })
      return <StateMark kind="bad" text={text} />
    }
    if (kind === 'folder') return <StateMark kind="bad" text={texts.folder} />
    return <StateMark kind="good" text={texts.works} />
  }
  return (
    <section className="summary">
      <h2 className="summary__label">{texts.title}</h2>
      {state()}
      {kind === 'server' && <p>{fillText(texts.server, { place: `\u2066${place}\u2069` })}</p>}
      {trouble && (
        <p className="small">
          {fillText(texts.lastError, { at: momentText(locale, trouble.at) })}{' '}
          <bdi className="along">{trouble.reason}</bdi>
        </p>
      )}
      {waiting > 0 && <p>{pluralText(locale, texts, 'waiting', waiting)}</p>}
      {givenUp > 0 && <p>{pluralText(locale, texts, 'givenUp', givenUp)}</p>}
      {alert}
      <button type="button" className="button" aria-busy={isBusy} onClick={test}>
        {texts.test}
      </button>
      <div role="status">{tested && <Tested tested={tested} />}</div>
    </section>
  )
}

function Tested({ tested: { to, problem, mail } }: { tested: SentTest }) {
  const { mail: texts } = useTexts('office-notices:page')
  const values = { to: `\u2066${to}\u2069`, place: `\u2066${mail.place}\u2069` }
  if (problem !== null) {
    return (
      <p className="alert alert--error">
        {fillText(texts.problem, values)} <bdi className="along">{problem}</bdi>
      </p>
    )
  }
  const isSent = mail.kind === 'server'
  return (
    <p className={isSent ? 'alert alert--success' : 'alert alert--error'}>
      {fillText(isSent ? texts.sent : texts.filed, values)}
    </p>
  )
}
