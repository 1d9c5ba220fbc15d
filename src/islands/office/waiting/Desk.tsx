import './desk.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { fillText } from '../../../i18n/format.ts'
import {
  $desk,
  type Desk as DeskData,
  loadDesk,
  refreshDesk,
  watchDesk,
} from '../../../stores/office/desk.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { Icon } from '../../parts/Icon.tsx'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { EmptyState, LoadState } from '../../parts/States.tsx'
import { momentText } from '../parts/dates.ts'
import { MailNote } from '../parts/MailNote.tsx'
import { Group } from './Group.tsx'
import { Opening } from './Opening.tsx'

const LINES = ['button', 'line', 'button', 'line', 'button', 'line'] as const

/** The tasks that wait for the shop's staff, the longest waiting first. */
export function Desk() {
  const texts = useTexts('office-waiting:page')
  const desk = useStore($desk, { ssr: notLoaded })
  useEffect(watchDesk, [])
  return (
    <LoadState
      state={desk}
      loading={{ text: texts.loading, shapes: LINES }}
      failed={texts.failed}
      onRetry={loadDesk}
    >
      {(value) => (
        <>
          <MailNote />
          {value.opening.length > 0 && (
            <Opening steps={value.opening} officeCommand={value.officeCommand} />
          )}
          {value.groups.length > 0 && (
            <ol className="desk">
              {value.groups.map((group) => (
                <Group
                  key={group.kind}
                  group={group}
                  readAt={value.readAt}
                  officeCommand={value.officeCommand}
                />
              ))}
            </ol>
          )}
          {value.groups.length + value.opening.length === 0 && <EmptyState {...texts.nothing} />}
          <Standing desk={value} />
        </>
      )}
    </LoadState>
  )
}

/** The time of the data, and of the last backup and ledger check. */
function Standing({ desk: { readAt, backupAt, ledgerAt, restoredFrom } }: { desk: DeskData }) {
  const locale = useLocale()
  const texts = useTexts('office-waiting:page')
  const withTime = (text: string, moment: string) =>
    fillText(text, { at: `\u2068${momentText(locale, moment)}\u2069` })
  return (
    <footer className="desk-foot">
      <p className="desk-foot__read">
        <span>{withTime(texts.read, readAt)}</span>
        <button type="button" className="button button--plain" onClick={refreshDesk}>
          <Icon name="refresh" /> {texts.refresh}
        </button>
      </p>
      <ul>
        <li>{backupAt ? withTime(texts.backupAt, backupAt) : texts.noBackup}</li>
        {restoredFrom && <li>{withTime(texts.restoredFrom, restoredFrom)}</li>}
        <li>{ledgerAt ? withTime(texts.ledgerAt, ledgerAt) : texts.noLedger}</li>
      </ul>
    </footer>
  )
}
