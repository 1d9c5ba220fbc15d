import { Message } from '../../../islands/parts/Message.tsx'
import '../../kit/summary.css'
import { useState } from 'react'
import type { MailState, Notices as NoticesData } from '../../../contract/office-desk.ts'
import { fillText, isolate, pluralText } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { momentText } from '../../kit/dates.ts'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { adminTexts, useActorName } from '../../kit/office-texts.ts'
import { StateMark } from '../../kit/tables/cells.tsx'
import { actsColumn, ShortTable } from '../../kit/tables/ShortTable.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { MailNote } from './MailNote.tsx'
import { sendTestMail, setNotice, shownNotices } from './notices.ts'

const { island, useTexts } = adminTexts('office-notices:page', 'office-notices:folder')

type Notice = NoticesData['notices'][number]

const OUTLINES = ['line', 'button', 'line', 'line'] as const

function Notices() {
  const texts = useTexts('office-notices:page')
  const { message, say } = useAction()
  return (
    <>
      {message}
      <MailNote />
      <LoadedStore from={shownNotices} texts={texts} shapes={OUTLINES}>
        {(value) => (
          <>
            <Mail mail={value.mail} />
            <section className="stack">
              <h2>{texts.notices.title}</h2>
              <p>{texts.notices.text}</p>
              <Switches notices={value.notices} onDone={say} />
            </section>
          </>
        )}
      </LoadedStore>
    </>
  )
}

interface NoticesProps {
  notices: readonly Notice[]
  onDone: (text: string) => void
}

function Switches({ notices, onDone }: NoticesProps) {
  const actorName = useActorName()
  const locale = useLocale()
  const { notices: texts } = useTexts('office-notices:page')
  const { alert, attempt, isBusy } = useAction()
  const change = ({ kind, isOn, seen }: Notice) =>
    attempt(async () => {
      onDone('')
      await setNotice({ kind, isOn: !isOn, seen })
      onDone(isOn ? texts.done.off : texts.done.on)
    })
  const changedText = ({ by, at }: NonNullable<Notice['changed']>) =>
    fillText(texts.changed, {
      by: isolate(actorName(by)),
      at: momentText(locale, at),
    })
  return (
    <>
      {alert}
      <ShortTable
        label={texts.title}
        rows={notices}
        rowKey={({ kind }) => kind}
        columns={[
          { head: texts.head.what, isWide: true, cell: ({ kind }) => texts.kinds[kind] },
          {
            head: texts.head.state,
            cell: ({ isOn }) => (
              <StateMark kind={isOn ? 'good' : 'off'} text={isOn ? texts.on : texts.off} />
            ),
          },
          {
            head: texts.head.last,
            cell: ({ toldAt, changed }) => (
              <span className="small">
                {toldAt ? momentText(locale, toldAt) : texts.never}
                {changed && <span className="soft"> · {changedText(changed)}</span>}
              </span>
            ),
          },
          actsColumn<Notice>(texts.head.action, (notice) => {
            const text = notice.isOn ? texts.switchOff : texts.switchOn
            const label = labelled(locale, text, texts.kinds[notice.kind])
            return [{ text, label, isBusy, act: () => change(notice) }]
          }),
        ]}
      />
    </>
  )
}

type SentTest = Awaited<ReturnType<typeof sendTestMail>>

function Mail({ mail }: { mail: MailState }) {
  const locale = useLocale()
  const { mail: texts } = useTexts('office-notices:page')
  const { alert, attempt, isBusy } = useAction()
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
    <section className="summary stack items-start gap-2">
      <h2 className="strong">{texts.title}</h2>
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
      <Button isBusy={isBusy} onClick={test}>
        {texts.test}
      </Button>
      {tested && <Tested tested={tested} />}
    </section>
  )
}

function Tested({ tested: { to, problem, mail } }: { tested: SentTest }) {
  const { mail: texts } = useTexts('office-notices:page')
  const values = { to: `\u2066${to}\u2069`, place: `\u2066${mail.place}\u2069` }
  if (problem !== null) {
    return (
      <Message kind="error">
        {fillText(texts.problem, values)} <bdi className="along">{problem}</bdi>
      </Message>
    )
  }
  const isSent = mail.kind === 'server'
  return (
    <Message
      kind={isSent ? 'success' : 'error'}
      text={fillText(isSent ? texts.sent : texts.filed, values)}
    />
  )
}

export default island(Notices)
