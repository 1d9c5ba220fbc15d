import './move-buttons.css'
import { fillText } from '../../../i18n/format.ts'
import { Icon } from '../../parts/Icon.tsx'
import { useTexts } from '../../parts/island.tsx'

interface Props {
  /** What is moved. */
  name: string
  isFirst: boolean
  isLast: boolean
  /** Moves it by one place: -1 up, 1 down. */
  onMove: (by: -1 | 1) => void
}

/** Moves something up or down in a list, by thumb and keyboard; at an end the button says that it is one. */
export function MoveButtons({ name, isFirst, isLast, onMove }: Props) {
  const texts = useTexts('office-catalogue:order')
  const button = (by: -1 | 1, isEnd: boolean, text: string) => (
    <button
      type="button"
      className="icon-button"
      // Not `disabled`, which would take the focus from a button that was just pressed.
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

/** The ids with one of them moved by one place among `within`, the ids that it may change places with. */
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
