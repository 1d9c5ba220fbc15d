import './save-order.css'
import { useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { ConflictChoice } from './ConflictChoice.tsx'
import { momentText } from './dates.ts'
import { useProblemText } from './use-problem-text.ts'

interface Props {
  texts: Record<'label' | 'changed' | 'save', string>
  /** The names in the unsaved order; `theirs` has them in the server's order. */
  mine: readonly string[]
  theirs: readonly string[]
  onSave: () => Promise<void>
  /** Reloads the server's order. */
  onConflict: () => Promise<void>
  /** Discards the unsaved order and shows the server's. */
  onDrop: () => void
}

/** Saves a changed order; after an edit conflict, shows both orders to choose from. */
export function SaveOrder({ texts, mine, theirs, onSave, onConflict, onDrop }: Props) {
  const locale = useLocale()
  const { drop } = useTexts('office-catalogue:order')
  const conflict = useTexts('office-site:conflict')
  const problemText = useProblemText()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const save = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await onSave()
    } catch (error) {
      const failure = problemOf(error)
      if (failure.done) await onConflict().catch(() => {})
      setProblem(failure)
    }
    setBusy(false)
  }
  const lines = (names: readonly string[]) =>
    names.map((name, at) => `${at + 1}. ${name}`).join('\n')
  const done = problem?.done
  return (
    <section className="save-order" aria-label={texts.label}>
      {problem && !done && <ErrorAlert text={problemText(problem)} />}
      {done ? (
        <ConflictChoice
          texts={{
            ...conflict,
            title: fillText(conflict.title, {
              by: `\u2068${done.by}\u2069`,
              at: momentText(locale, done.at),
            }),
          }}
          differences={[{ label: texts.label, mine: lines(mine), theirs: lines(theirs) }]}
          onKeep={save}
          onTake={onDrop}
        />
      ) : (
        <div className="save-order__bar">
          <p role="status">{texts.changed}</p>
          <button type="button" className="button" disabled={isBusy} onClick={onDrop}>
            {drop}
          </button>
          <button
            type="button"
            className="button button--primary"
            aria-busy={isBusy}
            onClick={save}
          >
            {texts.save}
          </button>
        </div>
      )}
    </section>
  )
}
