import './site.css'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { OfficePage } from '../../../contract/office-site-pages.ts'
import { fillText } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import {
  DEFAULT_LOCALE,
  dirOf,
  isLocale,
  LANGUAGE_NAMES,
  LOCALES,
  type Locale,
} from '../../../i18n/locales.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Later } from '../../../islands/parts/Later.tsx'
import { isBlank } from '../../../rules/pasted-text.ts'
import {
  type ItemKind,
  isEmptyPage,
  itemFieldsOf,
  PAGE_PARTS,
  type SitePageName,
  wordFieldsOf,
} from '../../../rules/site-pages.ts'
import { TextField } from '../../kit/forms/fields.tsx'
import { SaveFoot } from '../../kit/forms/SaveState.tsx'
import { useRevisedForm } from '../../kit/forms/use-office-form.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { adminTexts } from '../../kit/office-texts.ts'
import { LanguageChoice } from '../../kit/Tabs.tsx'
import { History } from './History.tsx'
import { type FieldOf, useMistakes } from './mistakes.ts'
import {
  nextItemId,
  orderOf,
  type PageValues,
  pageInAddress,
  pageMistakes,
  savePage,
  sitePage,
  valuesOf,
} from './pages.ts'

const { island, useTexts } = adminTexts(
  'office-site:editor',
  'office-site:names',
  'office-site:fields',
  'office-site:mistakes',
  'office-site:conflict',
  'office-site:history',
  'office-site:terms',
  'office:form',
  'office:confirm',
)

const OUTLINES = ['button', 'line', 'button', 'line', 'button', 'line'] as const

function SitePage() {
  const texts = useTexts('office-site:editor')
  const [name, setName] = useState<SitePageName | null>(null)
  useEffect(() => setName(pageInAddress()), [])
  return (
    <LoadedStore from={sitePage} of={name} texts={texts} shapes={OUTLINES}>
      {(value) => <PageForm office={value} />}
    </LoadedStore>
  )
}

// Loaded later, because the preview is far below the fields.
const loadPreview = () => import('./PagePreview.tsx').then(({ PagePreview }) => PagePreview)

const loadTerms = () => import('./BindingTerms.tsx').then(({ BindingTerms }) => BindingTerms)

function PageForm({ office }: { office: OfficePage }) {
  const { name, revision } = office
  const { items } = PAGE_PARTS[name]
  const texts = useTexts('office-site:editor')
  const names = useTexts('office-site:names')
  const sentence = useMistakes()
  const label = usePageLabels(items)
  const [language, setLanguage] = useState<Locale>(useLocale())
  const [initial] = useState(() => valuesOf(office.page))
  const keepAs = `page ${name}`
  const form = useRevisedForm<string>({
    fields: Object.keys(initial),
    initial,
    keepAs,
    revision,
    check: (values) => pageMistakes(name, values),
    save: async (base, values) => (await savePage(name, base, values)).revision,
    read: async () => {
      const now = await sitePage.read(name)
      return { revision: now.revision, values: valuesOf(now.page) }
    },
    sentence,
    label,
    conflictTexts: useTexts('office-site:conflict'),
  })
  const { values, formProps } = form
  const [opensMistakes, setOpenMistakes] = useState(false)
  return (
    <div className="site-page site-form stack gap-5">
      <p>
        <strong>{names[name]}</strong>
        {' · '}
        {isEmptyPage(name, office.page) ? (
          texts.empty
        ) : (
          <a href={pathIn(language, `/${name}`)}>{texts.open}</a>
        )}
      </p>
      {form.notices}
      <LanguageChoice
        className="site-page__languages"
        label={texts.language}
        chosen={language}
        onChoose={setLanguage}
      />
      <form
        {...formProps}
        className="site-page__form stack gap-5"
        onSubmit={(event) => {
          // Fields in closed items cannot receive the focus.
          if (!form.isValid) flushSync(() => setOpenMistakes(true))
          return formProps.onSubmit(event)
        }}
      >
        {wordFieldsOf(name).map((field) => (
          <Row
            key={field}
            language={language}
            values={values}
            label={label}
            pathOf={(each) => `${each}.${field}`}
            fieldOf={form.fieldOf}
            {...(field === 'text' && { rows: 16, hint: texts.markdown })}
            isArea={field !== 'title'}
          />
        ))}
        {items && (
          <ItemFields
            kind={items}
            language={language}
            values={values}
            initial={initial}
            label={label}
            fieldOf={form.fieldOf}
            onChange={formProps.onChange as () => void}
            mistakenFields={opensMistakes ? Object.keys(pageMistakes(name, values)) : []}
          />
        )}
        <SaveFoot form={form} submit={texts.save} />
      </form>
      <Later
        load={loadPreview}
        give={{ name, language, values }}
        loading={{ text: texts.previewLoading, shapes: ['line', 'line'] }}
        failed={{ title: texts.previewFailed, retry: texts.failed.retry }}
      />
      {name === 'terms' && (
        <Later
          load={loadTerms}
          give={{ revision }}
          loading={{ text: texts.previewLoading, shapes: ['line', 'button'] }}
          failed={{ title: texts.previewFailed, retry: texts.failed.retry }}
        />
      )}
      <History subject={`page ${name}`} revision={revision} label={label} />
    </div>
  )
}

/** Returns a function that labels a field: `items.3.fr.text` is "Réponse · Français". */
function usePageLabels(kind: ItemKind | undefined): (field: string) => string {
  const texts = useTexts('office-site:fields')
  const questions = { title: texts.question, note: '', text: texts.answer }
  const people = { title: texts.name, note: texts.role, text: texts.about }
  const itemLabels = kind === 'people' ? people : questions
  return (path) => {
    const parts = path.split('.')
    const field = parts.at(-1) ?? ''
    const language = parts.at(-2)
    if (field === 'order') return texts.order
    const names: Readonly<Record<string, string>> = parts[0] === 'items' ? itemLabels : texts
    return `${names[field] ?? field}${isLocale(language) ? ` · ${LANGUAGE_NAMES[language]}` : ''}`
  }
}

interface ItemFieldsProps {
  kind: ItemKind
  language: Locale
  values: PageValues
  initial: PageValues
  label: (field: string) => string
  fieldOf: FieldOf
  /** Called after a change other than typing, such as a move. */
  onChange: () => void
  /** The fields with mistakes, whose items are opened. */
  mistakenFields: readonly string[]
}

function ItemFields(props: ItemFieldsProps) {
  const { kind, language, values, initial, label, fieldOf, onChange, mistakenFields } = props
  const [opened, setOpened] = useState<readonly number[]>([])
  const texts = useTexts('office-site:editor')
  const field = useRef<HTMLInputElement>(null)
  const order = orderOf(values)
  const next = nextItemId(values, initial)
  const reorder = (ids: readonly number[]) => {
    if (field.current) field.current.value = ids.join(',')
    onChange()
  }
  const move = (at: number, by: number) => {
    const ids = [...order]
    const [id] = ids.splice(at, 1)
    if (id !== undefined) ids.splice(at + by, 0, id)
    reorder(ids)
  }
  return (
    <>
      <input type="hidden" ref={field} name="order" defaultValue={initial.order} />
      {order.map((id, at) => (
        <details
          key={id}
          className="site-fold"
          open={
            opened.includes(id) || mistakenFields.some((field) => field.startsWith(`items.${id}.`))
          }
          onToggle={({ currentTarget }) => {
            if (currentTarget.open && !opened.includes(id)) setOpened([...opened, id])
          }}
        >
          <summary>
            <span className="soft small">{fillText(texts.item[kind], { number: at + 1 })}</span>
            <bdi className="site-fold__title">{titleOf(values, id, language)}</bdi>
            {lacking(values, kind, id).map((each) => (
              <span key={each} className="site-page__lacks small">
                {fillText(texts.lacks, { language: LANGUAGE_NAMES[each] })}
              </span>
            ))}
          </summary>
          {itemFieldsOf(kind).map((each) => (
            <Row
              key={each}
              language={language}
              values={values}
              label={label}
              pathOf={(locale) => `items.${id}.${locale}.${each}`}
              fieldOf={fieldOf}
              isArea={each === 'text'}
            />
          ))}
          <div className="site-page__tools cluster items-stretch">
            <Button kind="plain" disabled={at === 0} onClick={() => move(at, -1)}>
              {texts.up}
            </Button>
            <Button kind="plain" disabled={at === order.length - 1} onClick={() => move(at, 1)}>
              {texts.down}
            </Button>
            <Button kind="plain" onClick={() => reorder(order.filter((each) => each !== id))}>
              {texts.remove}
            </Button>
          </div>
        </details>
      ))}
      {next === null ? (
        <p className="soft">{texts.addLater}</p>
      ) : (
        <Button
          onClick={() => {
            setOpened([...opened, next])
            reorder([...order, next])
          }}
        >
          {texts.add[kind]}
        </Button>
      )}
    </>
  )
}

/** The title of an item (a question or a name) in this language, or in Arabic. */
function titleOf(values: PageValues, id: number, language: Locale): string {
  const titleIn = (locale: Locale) => (values[`items.${id}.${locale}.title`] ?? '').trim()
  return titleIn(language) || titleIn(DEFAULT_LOCALE)
}

/** The languages in which an item is incomplete, so that readers get the Arabic one. */
function lacking(values: PageValues, kind: ItemKind, id: number): Locale[] {
  return LOCALES.filter((locale) =>
    itemFieldsOf(kind).some((field) => isBlank(values[`items.${id}.${locale}.${field}`] ?? '')),
  )
}

interface RowProps {
  /** The language shown on a phone. */
  language: Locale
  values: Readonly<Record<string, string>>
  label: (field: string) => string
  pathOf: (language: Locale) => string
  fieldOf: FieldOf
  isArea: boolean
  rows?: number
  hint?: string
}

/** One field in three languages side by side; a phone shows only the chosen language. */
function Row(props: RowProps) {
  const { language, values, label, pathOf, fieldOf, isArea, rows = 3, hint } = props
  const locale = useLocale()
  const texts = useTexts('office-site:editor')
  return (
    <div className="site-page__row">
      {LOCALES.map((each) => {
        const field = pathOf(each)
        const isMissing = isBlank(values[field] ?? '')
        const { defaultValue, ...fieldProps } = fieldOf(field)
        return (
          <div key={each} data-shown={each === language || undefined}>
            <TextField
              {...fieldProps}
              defaultValue={values[field] ?? defaultValue}
              label={`${label(field)}`}
              lang={each}
              dir={dirOf(each)}
              rows={isArea ? rows : 1}
              {...(hint && { hint })}
            />
            {isMissing && each !== DEFAULT_LOCALE && (
              <p className="site-page__lacks small">
                {labelled(locale, LANGUAGE_NAMES[each], texts.lacking)}
              </p>
            )}
          </div>
        )
      })}
    </div>
  )
}

export default island(SitePage)
