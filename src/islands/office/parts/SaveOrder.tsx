import './save-order.css'
import { useTexts } from '../../parts/island.tsx'
import { ConflictChoice } from './ConflictChoice.tsx'
import { useAttempt } from './use-attempt.tsx'

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
  const { drop } = useTexts('office-catalogue:order')
  const conflict = useTexts('office-site:conflict')
  const { alert, attempt, isBusy, problem } = useAttempt()
  const save = () => attempt(onSave, ({ done }) => done && onConflict().catch(() => {}))
  const lines = (names: readonly string[]) =>
    names.map((name, at) => `${at + 1}. ${name}`).join('\n')
  const done = problem?.done
  return (
    <section className="save-order" aria-label={texts.label}>
      {!done && alert}
      {done ? (
        <ConflictChoice
          texts={conflict}
          saved={done}
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
