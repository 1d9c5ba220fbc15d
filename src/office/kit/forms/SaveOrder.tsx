import './save-order.css'
import { fillText } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Icon } from '../../../islands/parts/Icon.tsx'
import { useTexts } from '../../../islands/parts/island.tsx'
import { useAction } from '../use-action.tsx'
import { ConflictChoice } from './ConflictChoice.tsx'

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

export function SaveOrder({ texts, mine, theirs, onSave, onConflict, onDrop }: Props) {
  const { drop } = useTexts('office-catalogue:order')
  const conflict = useTexts('office-site:conflict')
  const { alert, attempt, isBusy, problem } = useAction()
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
        <div className="save-order__bar cluster gap-3">
          <p role="status">{texts.changed}</p>
          <Button disabled={isBusy} onClick={onDrop}>
            {drop}
          </Button>
          <Button kind="primary" isBusy={isBusy} onClick={save}>
            {texts.save}
          </Button>
        </div>
      )}
    </section>
  )
}

interface MoveProps {
  /** The name of the entry, for the buttons' labels. */
  name: string
  isFirst: boolean
  isLast: boolean
  /** Moves the entry by one place: -1 up, 1 down. */
  onMove: (by: -1 | 1) => void
}

/**
 * Buttons that move an entry up or down in a list; at an end of the list one is `aria-disabled`.
 */
export function MoveButtons({ name, isFirst, isLast, onMove }: MoveProps) {
  const texts = useTexts('office-catalogue:order')
  const button = (by: -1 | 1, isEnd: boolean, text: string) => (
    <button
      type="button"
      className="icon-button"
      // Not `disabled`, which would take the focus from the button that was just pressed.
      aria-disabled={isEnd}
      aria-label={fillText(text, { name })}
      onClick={() => !isEnd && onMove(by)}
    >
      <Icon name="down" />
    </button>
  )
  return (
    <span className="move-buttons row inline items-stretch rigid">
      {button(-1, isFirst, texts.up)}
      {button(1, isLast, texts.down)}
    </span>
  )
}

/** The ids with `id` moved by one place among `within`, the ids that it may swap places with. */
export function moved(
  ids: readonly number[],
  id: number,
  by: -1 | 1,
  within: readonly number[] = ids,
): number[] {
  const other = within[within.indexOf(id) + by]
  if (other === undefined) return [...ids]
  return ids.map((each) => (each === id ? other : each === other ? id : each))
}
