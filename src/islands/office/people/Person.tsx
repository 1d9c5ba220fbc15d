import './people.css'
import '../earnings/summary.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { LoggedAction } from '../../../contract/office-log.ts'
import { $person, loadPerson } from '../../../stores/office/people.ts'
import { $officeSession } from '../../../stores/office/session.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { LoadState } from '../../parts/States.tsx'
import { Subject } from '../log/Subject.tsx'
import { actionText } from '../log/words.ts'
import { Moment, Words } from '../parts/cells.tsx'
import { Bought } from './Bought.tsx'
import { PersonActs } from './PersonActs.tsx'
import { PersonFacts } from './PersonFacts.tsx'
import { Teaching } from './Teaching.tsx'
import { island, useTexts } from './texts.ts'

const OUTLINES = ['line', 'button', 'button', 'button'] as const
const noSession = () => null

/** One account: its facts, the possible actions, the purchases and the log. */
function Person() {
  const texts = useTexts('office-people:person')
  const state = useStore($person, { ssr: notLoaded })
  const session = useStore($officeSession, { ssr: noSession })
  useEffect(() => void loadPerson(), [])
  return (
    <LoadState
      state={state}
      loading={{ text: texts.loading, shapes: OUTLINES }}
      failed={texts.failed}
      onRetry={loadPerson}
    >
      {(view) => (
        <div className="person">
          <PersonFacts view={view} />
          {view.person.id === session?.userId ? (
            <p className="soft">{texts.own}</p>
          ) : (
            <PersonActs view={view} />
          )}
          {view.customer && <Bought id={view.person.id} customer={view.customer} />}
          {view.teacher && <Teaching teacher={view.teacher} />}
          <LogSection rows={view.log} />
        </div>
      )}
    </LoadState>
  )
}

/** Logged actions on the account, and those of its owner in the office. */
function LogSection({ rows }: { rows: readonly LoggedAction[] }) {
  const texts = useTexts('office-people:person')
  const actions = useTexts('office-log:actions')
  return (
    <section className="stack">
      <h2>{texts.log}</h2>
      {rows.length === 0 && <p className="soft">{texts.noLog}</p>}
      <ul className="person__list">
        {rows.map((row) => (
          <li key={row.id}>
            <span className="person__what">
              {actionText(row.action, actions)} · <Subject subject={row.subject} />
              {row.reason !== null && (
                <span className="person__comment along" dir="auto">
                  {row.reason}
                </span>
              )}
            </span>
            <Words>{row.actor.name}</Words>
            <Moment at={row.at} withTime />
          </li>
        ))}
      </ul>
    </section>
  )
}

export default island(Person)
