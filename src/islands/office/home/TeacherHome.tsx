import './teacher-home.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { inLanguage } from '../../../i18n/paths.ts'
import { OFFICE_PAGES } from '../../../rules/pages.ts'
import { $staff } from '../../../stores/office/staff.ts'
import { $waiting, loadWaiting } from '../../../stores/office/waiting.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { useLocale } from '../../parts/island.tsx'
import { EmptyState, LoadState } from '../../parts/States.tsx'
import { type Line, linesOf } from './lines.ts'
import { LINES } from './outlines.ts'
import { useTexts } from './texts.ts'

/** The teacher's tasks, with links to the pages where they are done. */
export function TeacherHome() {
  const locale = useLocale()
  const texts = useTexts('office:home')
  const staff = useStore($staff, { ssr: notLoaded })
  const waiting = useStore($waiting, { ssr: notLoaded })
  useEffect(() => void loadWaiting(), [])
  return (
    <LoadState
      state={waiting}
      loading={{ text: texts.loading, shapes: LINES }}
      failed={texts.failed}
      onRetry={loadWaiting}
    >
      {(value) => {
        const known = staff.phase === 'ready' ? staff.value : null
        const { mine, ours } = linesOf({ waiting: value, staff: known, locale, texts: texts.lines })
        return (
          <>
            {mine.length > 0 ? (
              <Lines title={texts.mine} lines={mine} />
            ) : (
              <EmptyState title={texts.nothing.title} text={texts.nothing.text}>
                <NewDocument text={texts.nothing.add} />
              </EmptyState>
            )}
            {ours.length > 0 && <Lines title={texts.ours} lines={ours} isQuiet />}
          </>
        )
      }}
    </LoadState>
  )
}

function NewDocument({ text }: { text: string }) {
  const locale = useLocale()
  const path = '/office/documents/new'
  if (!(path in OFFICE_PAGES)) return null
  return (
    <a className="button button--primary" href={inLanguage(locale, path)}>
      {text}
    </a>
  )
}

const MARKS: Readonly<Record<Line['kind'], string>> = {
  secondFactor: '!',
  returned: '↩',
  payable: '+',
  ratings: '★',
  draft: '✎',
  profile: '✎',
  submitted: '…',
  requested: '…',
}

interface LinesProps {
  title: string
  lines: readonly Line[]
  /** Whether the lines need no action from the teacher. */
  isQuiet?: boolean
}

function Lines({ title, lines, isQuiet }: LinesProps) {
  return (
    <section className="stack">
      <h2>{title}</h2>
      <ul className={isQuiet ? 'waits waits--quiet' : 'waits'}>
        {lines.map(({ kind, text, href }) => (
          <li className="waits__line" key={kind}>
            <span className="waits__mark" aria-hidden="true">
              {MARKS[kind]}
            </span>
            {href ? <a href={href}>{text}</a> : <span>{text}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
