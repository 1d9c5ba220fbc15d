import { useRef, useState } from 'react'
import type { PersonView } from '../../../contract/office-people.ts'
import { fillText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { actOn, actsFor, needsReason, type PersonAct } from '../../../stores/office/people.ts'
import { Refusal } from '../../../stores/shared/problem.ts'
import { useLocale } from '../../parts/island.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { MailNote } from '../parts/MailNote.tsx'
import { ReasonField, readReason } from './ReasonField.tsx'
import { useTexts } from './texts.ts'

/** The possible actions on an account, each with a confirmation dialog. */
export function PersonActs({ view }: { view: PersonView }) {
  const locale = useLocale()
  const texts = useTexts('office-people:person')
  const [pendingAct, setPendingAct] = useState<PersonAct | null>(null)
  const [done, setDone] = useState<PersonAct | null>(null)
  const { person } = view
  const acts = actsFor(view)
  const canMerge = person.role === 'PARENT' && person.state === 'active'
  return (
    <>
      <p className={done ? 'alert alert--success' : 'visually-hidden'} role="status">
        {done ? texts.acts[done].done : ''}
      </p>
      {(acts.length > 0 || canMerge) && (
        <section className="stack">
          <h2>{texts.actions}</h2>
          <MailNote />
          <p className="cluster">
            {acts.map((act) => (
              <button
                type="button"
                key={act}
                className={act === 'block' ? 'button button--danger' : 'button'}
                onClick={() => {
                  setDone(null)
                  setPendingAct(act)
                }}
              >
                {texts.acts[act].button}
              </button>
            ))}
            {canMerge && (
              <a className="button" href={`${pathIn(locale, '/office/merge')}?id=${person.id}`}>
                {texts.merge}
              </a>
            )}
          </p>
        </section>
      )}
      {pendingAct && (
        <AskDialog
          act={pendingAct}
          view={view}
          onDone={() => {
            if (pendingAct === 'withdraw') location.assign(pathIn(locale, '/office/people'))
            else setDone(pendingAct)
          }}
          onClose={() => setPendingAct(null)}
        />
      )}
    </>
  )
}

interface AskProps {
  act: PersonAct
  view: PersonView
  onDone: () => void
  onClose: () => void
}

function AskDialog({ act, view: { person }, onDone, onClose }: AskProps) {
  const texts = useTexts('office-people:person')
  const actTexts = texts.acts[act]
  const form = useRef<HTMLFormElement>(null)
  const [isMissing, setMissing] = useState(false)
  const confirm = async () => {
    const reason = needsReason(act) ? readReason(form.current) : ''
    const lacksReason = needsReason(act) && reason === ''
    setMissing(lacksReason)
    if (lacksReason) throw new Refusal('invalid_input', 400)
    await actOn(person.id, act, reason)
    onDone()
  }
  return (
    <ConfirmDialog
      title={actTexts.title}
      submit={actTexts.button}
      isDanger={act === 'block' || act === 'withdraw'}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        <strong className="along" dir="auto">
          {person.name}
        </strong>
      </p>
      <p>{fillText(actTexts.text, { email: `\u2066${person.email}\u2069` })}</p>
      {needsReason(act) && <ReasonField texts={texts} form={form} isMissing={isMissing} />}
    </ConfirmDialog>
  )
}
