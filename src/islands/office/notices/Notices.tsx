import '../earnings/summary.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Notices as NoticesData } from '../../../contract/office-desk.ts'
import { fillText } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { COMMAND_LINE } from '../../../rules/office-actions.ts'
import { $notices, loadNotices, setNotice } from '../../../stores/office/notices.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { useLocale } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { StateMark } from '../parts/cells.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { momentText } from '../parts/dates.ts'
import { MailNote } from '../parts/MailNote.tsx'
import { ShortTable } from '../parts/ShortTable.tsx'
import { useAttempt } from '../parts/use-attempt.tsx'
import { Mail } from './Mail.tsx'
import { island, useTexts } from './texts.ts'

type Notice = NoticesData['notices'][number]

const OUTLINES = ['line', 'button', 'line', 'line'] as const

/** Where the shop's mails go, and the switches of the mails that tell administrators what waits. */
function Notices() {
  const texts = useTexts('office-notices:page')
  const notices = useStore($notices, { ssr: notLoaded })
  const [done, setDone] = useDone()
  useEffect(() => void loadNotices(), [])
  return (
    <>
      <Done text={done} />
      <MailNote />
      <LoadState
        state={notices}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={loadNotices}
      >
        {(value) => (
          <>
            <Mail mail={value.mail} />
            <section className="stack">
              <h2>{texts.notices.title}</h2>
              <p>{texts.notices.text}</p>
              <Switches notices={value.notices} onDone={setDone} />
            </section>
          </>
        )}
      </LoadState>
    </>
  )
}

interface Props {
  notices: readonly Notice[]
  onDone: (text: string) => void
}

function Switches({ notices, onDone }: Props) {
  const locale = useLocale()
  const { notices: texts } = useTexts('office-notices:page')
  const { alert, attempt, isBusy } = useAttempt()
  const change = ({ kind, isOn, seen }: Notice) =>
    attempt(async () => {
      onDone('')
      await setNotice({ kind, isOn: !isOn, seen })
      onDone(isOn ? texts.done.off : texts.done.on)
    })
  const changedText = ({ by, at }: NonNullable<Notice['changed']>) =>
    fillText(texts.changed, {
      by: by === COMMAND_LINE ? texts.commandLine : `\u2068${by}\u2069`,
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
          {
            head: texts.head.action,
            isActions: true,
            cell: (notice) => (
              <button
                type="button"
                className="button"
                aria-busy={isBusy}
                aria-label={labelled(
                  locale,
                  notice.isOn ? texts.switchOff : texts.switchOn,
                  texts.kinds[notice.kind],
                )}
                onClick={() => change(notice)}
              >
                {notice.isOn ? texts.switchOff : texts.switchOn}
              </button>
            ),
          },
        ]}
      />
    </>
  )
}

export default island(Notices)
