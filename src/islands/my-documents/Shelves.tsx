import { useStore } from '@nanostores/react'
import { choose } from '../../stores/library/choices.ts'
import { $shownShelf } from '../../stores/library/library.ts'
import { openShelves } from '../../stores/library/opened.ts'
import { $shelfState, $shelves } from '../../stores/library/shelves.ts'
import { isLacking } from '../../stores/shared/loader.ts'
import { Icon } from '../parts/Icon.tsx'
import { useTexts } from './texts.ts'

/** The family's shelves, of which one can be chosen, and the button that edits them. */
export function Shelves() {
  const texts = useTexts('library:shelves')
  const shelves = useStore($shelves)
  const shown = useStore($shownShelf)
  if (isLacking(useStore($shelfState))) return null
  return (
    <fieldset className="shelves">
      <legend className="visually-hidden">{texts.title}</legend>
      {shelves.length > 0 && (
        <>
          <button
            type="button"
            className="shelf-label"
            aria-pressed={!shown}
            onClick={() => choose('shelf', null)}
          >
            {texts.all}
          </button>
          {shelves.map(({ id, name, documentIds }) => (
            <button
              type="button"
              key={id}
              className="shelf-label"
              aria-pressed={shown?.id === id}
              onClick={() => choose('shelf', String(id))}
            >
              <bdi>{name}</bdi>
              <bdi className="shelf-label__count">{documentIds.length}</bdi>
            </button>
          ))}
        </>
      )}
      <button type="button" className="button button--plain" onClick={() => openShelves()}>
        <Icon name="plus" />
        {shelves.length > 0 ? texts.edit : texts.first}
      </button>
    </fieldset>
  )
}
