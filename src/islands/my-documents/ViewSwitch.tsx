import { useStore } from '@nanostores/react'
import { useSyncExternalStore } from 'react'
import {
  $chosenView,
  chooseView,
  LIBRARY_VIEWS,
  type LibraryView,
  shownView,
} from '../../stores/library/view.ts'
import { useTexts } from './texts.ts'

const NARROW = '(width < 768px)'

function watchWidth(onChange: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

/** Whether the documents are books on a shelf or a table. */
export function useView(): LibraryView {
  const isNarrow = useSyncExternalStore(watchWidth, () => matchMedia(NARROW).matches)
  return shownView(useStore($chosenView), isNarrow)
}

/** The two ways to look at the documents. */
export function ViewSwitch({ view }: { view: LibraryView }) {
  const texts = useTexts('library:page').views
  return (
    <fieldset className="view-switch">
      <legend className="visually-hidden">{texts.label}</legend>
      {LIBRARY_VIEWS.map((each) => (
        <button
          type="button"
          key={each}
          aria-pressed={each === view}
          onClick={() => chooseView(each)}
        >
          {texts[each]}
        </button>
      ))}
    </fieldset>
  )
}
