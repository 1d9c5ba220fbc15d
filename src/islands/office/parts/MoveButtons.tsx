import './move-buttons.css'
import { fillText } from '../../../i18n/format.ts'
import { Icon } from '../../parts/Icon.tsx'
import { useTexts } from '../../parts/island.tsx'

interface Props {
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
export function MoveButtons({ name, isFirst, isLast, onMove }: Props) {
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
    <span className="move-buttons">
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
