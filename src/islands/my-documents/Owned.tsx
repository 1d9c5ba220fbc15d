import '../../parts/field.css'
import '../../parts/select.css'
import { useStore } from '@nanostores/react'
import { type ReactNode, useId, useState } from 'react'
import { fillText, isolate, pluralText } from '../../i18n/format.ts'
import { pathIn } from '../../i18n/paths.ts'
import { LIBRARY_SORTS } from '../../rules/library-list.ts'
import {
  $continued,
  $filterOptions,
  $library,
  $shownShelf,
  type LibraryFilter,
} from '../../stores/library/library.ts'
import { $shelfState, $shelves } from '../../stores/library/shelves.ts'
import {
  $choices,
  $chosenView,
  $narrowing,
  $opened,
  choose,
  chooseView,
  clearChoices,
  LIBRARY_VIEWS,
  type LibraryView,
  openShelves,
  shownView,
} from '../../stores/library/shown.ts'
import { lacks } from '../../stores/shared/features.ts'
import { isLacking } from '../../stores/shared/loader.ts'
import { Button, ButtonLink } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { useLocale } from '../parts/island.tsx'
import { EmptyState } from '../parts/States.tsx'
import { useMedia } from '../parts/use-media.ts'
import { Named } from './Actions.tsx'
import { Books, OwnedCover, Progress, ReadLink } from './Book.tsx'
import { BookDialog, LaterRating, LaterShelves } from './BookDialog.tsx'
import { DocumentTable } from './DocumentTable.tsx'
import { DownloadSeveral } from './DownloadSeveral.tsx'
import { useNames, useTexts } from './texts.ts'
import { useShownDocuments } from './use-shown.ts'

export function Explore({ text, isMain }: { text: string; isMain?: boolean }) {
  const locale = useLocale()
  return (
    <a className={isMain ? 'button button--primary' : 'button'} href={pathIn(locale, '/shop')}>
      {text}
    </a>
  )
}

export function Owned({ count }: { count: number }) {
  const locale = useLocale()
  const texts = useTexts('library:page')
  const shown = useShownDocuments()
  const { documents } = shown
  const view = useView()
  const hasRoom = !useMedia('(width < 48rem)')
  // What hides documents is in sight.
  const [isOpen, setOpen] = useState(() => $narrowing.get() > 0)
  const choicesId = useId()
  return (
    <div className="library stack">
      <ContinueReading />
      <div className="library__head">
        <p role="status">{pluralText(locale, texts.counts, 'count', documents.length)}</p>
        <ViewSwitch view={view} />
        {!hasRoom && (
          <Button aria-expanded={isOpen} aria-controls={choicesId} onClick={() => setOpen(!isOpen)}>
            {texts.filters.open}
            <ChoiceCount />
          </Button>
        )}
        {/* Not below the books: their list grows when its end comes near, and would push the button
            away. */}
        <DownloadSeveral documents={documents} areAll={documents.length === count} />
      </div>
      {(hasRoom || isOpen) && (
        <div id={choicesId} className="stack">
          <Filters />
          <Shelves />
        </div>
      )}
      {documents.length === 0 ? (
        <NothingShown />
      ) : view === 'books' ? (
        <Books {...shown} />
      ) : (
        <DocumentTable {...shown} />
      )}
      <div className="cluster">
        <Explore text={texts.explore} />
        {!lacks('exams') && <ButtonLink to="/marks">{texts.marks}</ButtonLink>}
      </div>
      <OpenedDialog />
    </div>
  )
}

/** Shown if no document matches the filters, or the chosen shelf is still empty. */
function NothingShown() {
  const { none } = useTexts('library:page')
  const { empty, fill } = useTexts('library:shelves')
  const shelf = useStore($shownShelf)
  if (shelf?.documentIds.length === 0) {
    return (
      <EmptyState text={fillText(empty, { name: isolate(shelf.name) })}>
        <Button onClick={() => openShelves(shelf.id)}>{fill}</Button>
      </EmptyState>
    )
  }
  return (
    <EmptyState text={none.text}>
      <Button onClick={clearChoices}>{none.clear}</Button>
    </EmptyState>
  )
}

function ContinueReading() {
  const texts = useTexts('library:page').continue
  const document = useStore($continued)
  if (!document || lacks('reader')) return null
  return (
    <section className="panel continue-reading" aria-labelledby="continue-reading">
      <OwnedCover document={document} sizes="160px" />
      <div className="continue-reading__text">
        <h2 id="continue-reading">{texts.title}</h2>
        <p className="along" dir="auto">
          {document.documentTitle}
        </p>
        <Progress document={document} />
        <ReadLink document={document} className="button button--primary">
          {texts.action}
          <Named title={document.documentTitle} />
        </ReadLink>
      </div>
    </section>
  )
}

/** How many choices hide documents, behind the button that shows them. */
function ChoiceCount() {
  const count = useStore($narrowing)
  return count > 0 ? <bdi className="badge">{count}</bdi> : null
}

/** Subject and level offer what occurs among the customer's documents; the type offers all. */
function Filters() {
  const texts = useTexts('library:page')
  const { q, sort } = useStore($choices)
  const id = useId()
  return (
    <search className="library__choices" aria-label={texts.filters.label}>
      <div className="field library__search">
        <label htmlFor={id}>{texts.search}</label>
        <input
          id={id}
          type="search"
          name="q"
          dir="auto"
          autoComplete="off"
          maxLength={100}
          placeholder={texts.searchHint}
          value={q}
          onChange={(event) => choose('q', event.currentTarget.value)}
        />
      </div>
      <Choice
        name="sort"
        label={texts.sort.label}
        value={sort}
        onChoose={(value) =>
          choose('sort', LIBRARY_SORTS.find((each) => each === value) ?? 'newest')
        }
      >
        {LIBRARY_SORTS.map((each) => (
          <option key={each} value={each}>
            {texts.sort[each]}
          </option>
        ))}
      </Choice>
      <Filter name="matiereId" />
      <Filter name="niveauId" />
      <Filter name="category" />
    </search>
  )
}

function Filter({ name }: { name: LibraryFilter }) {
  const texts = useTexts('library:page').filters
  const nameOf = useNames()[name]
  const options = useStore($filterOptions)[name]
  const chosen = useStore($choices)[name]
  return (
    <Choice
      name={name}
      label={texts[name]}
      value={chosen ?? ''}
      onChoose={(value) => choose(name, value || null)}
    >
      <option value="">{texts.all}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {nameOf(option)}
        </option>
      ))}
    </Choice>
  )
}

interface ChoiceProps {
  name: string
  label: string
  value: string
  onChoose: (value: string) => void
  children: ReactNode
}

function Choice({ name, label, value, onChoose, children }: ChoiceProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {children}
      </select>
    </div>
  )
}

function Shelves() {
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
      <Button kind="plain" onClick={() => openShelves()}>
        <Icon name="plus" />
        {shelves.length > 0 ? texts.edit : texts.first}
      </Button>
    </fieldset>
  )
}

function useView(): LibraryView {
  return shownView(useStore($chosenView), useMedia('(width < 48rem)'))
}

function ViewSwitch({ view }: { view: LibraryView }) {
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

function OpenedDialog() {
  const opened = useStore($opened)
  const library = useStore($library)
  if (!opened || library.phase !== 'ready') return null
  if (opened.kind === 'shelves') return <LaterShelves shelfId={opened.shelfId} />
  const document = library.value.find(({ documentId }) => documentId === opened.documentId)
  if (!document) return null
  return opened.kind === 'book' ? (
    <BookDialog document={document} />
  ) : (
    <LaterRating document={document} />
  )
}
