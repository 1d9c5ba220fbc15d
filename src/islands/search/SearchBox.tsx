import './search-box.css'
import { useCombobox } from 'downshift'
import {
  type KeyboardEvent,
  type RefObject,
  type SubmitEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { pluralText } from '../../i18n/format.ts'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { SEARCH_TEXT_MAX_LENGTH } from '../../rules/pasted-text.ts'
import { containsFolded } from '../../rules/search-fold.ts'
import { markMatches } from '../../rules/search-marks.ts'
import { enterTarget, type SearchPage, type Suggestion, suggest } from '../../rules/suggestions.ts'
import {
  createSuggester,
  type FoundDocument,
  loadSearchPages,
} from '../../stores/search/suggestions.ts'
import { IconButton } from '../parts/Icon.tsx'
import { islandTexts, useLocale } from '../parts/island.tsx'

const { island, useTexts } = islandTexts('search:box')

interface Props {
  /** Distinguishes the search boxes of a page. */
  id: string
  className?: string
}

const { InputKeyDownEnter, ItemClick, InputClick, InputBlur } = useCombobox.stateChangeTypes

/**
 * The search box: a form that suggests pages and documents while the visitor types; it also works
 * without suggestions.
 */
function SearchBox({ id, className = '' }: Props) {
  const locale = useLocale()
  const texts = useTexts('search:box')
  const [typed, setTyped] = useState('')
  const [pages, setPages] = useState<readonly SearchPage[]>([])
  const [isWanted, setWanted] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const suggestions = useSuggestions(typed, pages)
  const isOpen = isWanted && suggestions.length > 0
  const close = useCallback(() => setWanted(false), [])
  const hasBegun = typed !== ''
  useEffect(() => {
    if (hasBegun) void loadSearchPages(locale).then(setPages)
  }, [hasBegun, locale])
  useListRoom(list, isOpen, suggestions, close)

  const box = useCombobox<Suggestion<FoundDocument>>({
    id,
    inputId: id,
    menuId: `${id}-suggestions`,
    labelId: `${id}-label`,
    getItemId: (index) => `${id}-suggestion-${index}`,
    items: suggestions,
    itemToString: (item) => item?.title ?? '',
    inputValue: typed,
    isOpen,
    // Nothing stays selected: after "back" the same suggestion can be chosen again.
    selectedItem: null,
    onIsOpenChange: (change) => setWanted(change.isOpen),
    stateReducer: (state, { type, changes }) => {
      if (type === InputClick) return { ...changes, isOpen: true }
      // Leaving the box chooses nothing.
      if (type === InputBlur)
        return { ...changes, selectedItem: null, inputValue: state.inputValue }
      return changes
    },
    onStateChange: ({ type, selectedItem }) => {
      const isChosen = type === ItemClick || type === InputKeyDownEnter
      if (isChosen && selectedItem) location.assign(addressOf(locale, selectedItem))
    },
  })

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setWanted(false)
    const target = enterTarget(typed, pages)
    if (target.kind === 'page') return location.assign(pathIn(locale, target.path))
    const query = target.search && `?${new URLSearchParams({ search: target.search })}`
    location.assign(pathIn(locale, '/shop') + query)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Browsers clear a search field on Escape; the first Escape must only close the list.
    if (event.key === 'Escape' && isOpen) event.preventDefault()
    // Downshift handles every Enter while the list is open; without a highlighted suggestion, let
    // Enter submit the form, and one that ends a composition do nothing else.
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229
    if (event.key === 'Enter' && (isComposing || box.highlightedIndex === -1)) {
      Object.assign(event.nativeEvent, { preventDownshiftDefault: true })
    }
  }

  const input = box.getInputProps({
    onKeyDown,
    // Set synchronously: a later update would move the caret.
    onChange: (event) => setTyped(event.currentTarget.value),
  })

  return (
    <search className={`search ${className}`.trim()}>
      <form className="search__form" action={pathIn(locale, '/shop')} onSubmit={submit}>
        <label {...box.getLabelProps()} className="visually-hidden" htmlFor={id}>
          {texts.label}
        </label>
        <input
          {...input}
          // An empty id would be an invalid reference.
          aria-activedescendant={input['aria-activedescendant'] || undefined}
          className="search__input"
          type="search"
          name="search"
          placeholder={texts.placeholder}
          maxLength={SEARCH_TEXT_MAX_LENGTH}
          enterKeyHint="search"
        />
        <IconButton icon="search" label={texts.submit} type="submit" className="search__button" />
      </form>
      <ul
        {...box.getMenuProps({ ref: list, 'aria-label': texts.suggestions })}
        className="search__list"
        hidden={!isOpen}
      >
        {isOpen &&
          suggestions.map((item, index) => (
            <li
              key={addressOf(locale, item)}
              className="search__item"
              {...box.getItemProps({ item, index })}
            >
              <bdi className="search__title one-line">
                <Marked item={item} typed={typed} />
              </bdi>{' '}
              <span className="search__kind">({texts[item.type]})</span>
            </li>
          ))}
      </ul>
      <output className="visually-hidden">
        {isOpen && pluralText(locale, texts, 'found', suggestions.length)}
      </output>
    </search>
  )
}

function Marked({ item, typed }: { item: Suggestion<FoundDocument>; typed: string }) {
  const text = (item.type === 'document' && item.document.meant) || typed
  return markMatches(item.title, text, { anywhere: true }).map((piece, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a title is always rendered as a whole
    piece.isMarked ? <mark key={at}>{piece.text}</mark> : piece.text,
  )
}

function addressOf(locale: Locale, item: Suggestion<FoundDocument>): string {
  return pathIn(locale, item.type === 'page' ? item.path : `/shop-details/${item.document.id}`)
}

export default island(SearchBox)

/** The gap between the list and the edge of the screen or the keyboard (px). */
const MARGIN_PX = 8
/** The least height of the list: two suggestions (px). */
const MIN_HEIGHT_PX = 96
/** A shorter scroll comes from the browser, which moves the box into view (px). */
const DELIBERATE_SCROLL_PX = 8

/**
 * Keeps an open list above a phone's keyboard, and closes it when the visitor scrolls the page.
 * `shown` is any value that changes with the list.
 */
function useListRoom(
  list: RefObject<HTMLElement | null>,
  isOpen: boolean,
  shown: unknown,
  close: () => void,
): void {
  useLayoutEffect(() => {
    const element = list.current
    const view = window.visualViewport
    if (!isOpen || !element || !view || !shown) return
    const bound = () => {
      const top = element.getBoundingClientRect().top - view.offsetTop
      element.style.maxBlockSize = `${Math.max(MIN_HEIGHT_PX, view.height - top - MARGIN_PX)}px`
    }
    bound()
    view.addEventListener('resize', bound)
    return () => view.removeEventListener('resize', bound)
  }, [list, isOpen, shown])

  useEffect(() => {
    if (!isOpen || !shown) return
    const from = scrollY
    const onScroll = () => {
      if (Math.abs(scrollY - from) > DELIBERATE_SCROLL_PX) close()
    }
    document.addEventListener('scroll', onScroll, { passive: true })
    return () => document.removeEventListener('scroll', onScroll)
  }, [isOpen, shown, close])
}

function useSuggestions(typed: string, pages: readonly SearchPage[]): Suggestion<FoundDocument>[] {
  const [text, setText] = useState('')
  const [documents, setDocuments] = useState<readonly FoundDocument[]>([])
  const suggester = useRef<ReturnType<typeof createSuggester>>(undefined)

  useEffect(() => {
    const current = createSuggester((answer) => {
      setText(answer.text)
      // Until the answer arrives, show the previous documents that still match, so that the list
      // does not flicker.
      setDocuments((last) => answer.documents ?? last.filter(fits(answer.text)))
    })
    suggester.current = current
    return () => current.stop()
  }, [])
  useEffect(() => suggester.current?.type(typed), [typed])

  return useMemo(() => suggest(text, pages, documents), [text, pages, documents])
}

const fits =
  (text: string) =>
  ({ title }: FoundDocument) =>
    containsFolded(title, text)
