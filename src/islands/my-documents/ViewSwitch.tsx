import { useStore } from '@nanostores/react'
import {
  $chosenView,
  chooseView,
  LIBRARY_VIEWS,
  type LibraryView,
  shownView,
} from '../../stores/library/view.ts'
import { useMedia } from '../parts/use-media.ts'
import { useTexts } from './texts.ts'

/** Whether the documents are books on a shelf or a table. */
export function useView(): LibraryView {
  return shownView(useStore($chosenView), useMedia('(width < 768px)'))
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
