import './lists.css'
import { useStore } from '@nanostores/react'
import { Fragment, useEffect, useId, useState } from 'react'
import type { Entry, List } from '../../../contract/office-catalogue.ts'
import * as office from '../../../contract/office-catalogue.ts'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { dirOf, isLocale, LANGUAGE_NAMES, LOCALES } from '../../../i18n/locales.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Field } from '../../../islands/parts/Field.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { MiniCover } from '../../../islands/parts/MiniCover.tsx'
import { EmptyState, LoadState } from '../../../islands/parts/States.tsx'
import {
  coverColorProblem,
  ENTRIES_MAX,
  ENTRY_KINDS,
  ENTRY_NAME_MAX_LENGTH,
  entryNameProblem,
  LISTS,
  type ListName,
} from '../../../rules/catalogue-lists.ts'
import { inEachLanguage, LANGUAGES } from '../../../rules/languages.ts'
import { coverNote } from '../../../rules/pictures.ts'
import { LEVELS, type Level } from '../../../rules/price-bands.ts'
import { joined, parted } from '../../../stores/shared/form.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { ask } from '../../kit/backend.ts'
import { Choices } from '../../kit/forms/Choices.tsx'
import { SelectField } from '../../kit/forms/fields.tsx'
import { MoveButtons, moved, SaveOrder } from '../../kit/forms/SaveOrder.tsx'
import { SaveFoot, SaveState } from '../../kit/forms/SaveState.tsx'
import { useOfficeForm, useRevisedForm } from '../../kit/forms/use-office-form.tsx'
import { createLoader } from '../../kit/loader.ts'
import { adminTexts } from '../../kit/office-texts.ts'
import { Tabs } from '../../kit/Tabs.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { History } from '../site/History.tsx'

type NameField = `names.${(typeof LANGUAGES)[number]}`
type EntryField = NameField | 'color' | 'level' | 'subjectIds'
type EntryValues = Record<EntryField, string>

const loader = createLoader<office.Lists>('lists')
const $lists = loader.$state

const readLists = () => ask(office.getLists, {})
const loadLists = () => loader.load(readLists)

async function refreshLists(): Promise<void> {
  loader.show(await readLists())
}

function listInAddress(): ListName {
  const name = new URLSearchParams(location.search).get('list')
  return LISTS.find((each) => each === name) ?? LISTS[0]
}

/** The form fields for an entry of a list; some fields exist only for a new entry. */
function fieldsOf(list: ListName, isNew: boolean): readonly EntryField[] {
  return [
    ...LANGUAGES.map((each) => `names.${each}` as const),
    ...(list === 'classes' && isNew ? (['level'] as const) : []),
    ...(list === 'classes' ? (['subjectIds'] as const) : []),
    ...(list === 'covers' ? (['color'] as const) : []),
  ]
}

const DEFAULT_COLOR = '#2b62b8'

function valuesOf(entry?: office.Entry): EntryValues {
  return {
    ...(Object.fromEntries(
      LANGUAGES.map((each) => [`names.${each}`, entry?.names[each] ?? '']),
    ) as Record<NameField, string>),
    color: entry?.color ?? DEFAULT_COLOR,
    level: entry?.level ?? '',
    subjectIds: joined(entry?.subjectIds ?? []),
  }
}

function entryMistakes(fields: readonly EntryField[], values: EntryValues): Partial<EntryValues> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const mistake = mistakeIn(field, values[field])
      return mistake ? [[field, mistake]] : []
    }),
  )
}

function mistakeIn(field: EntryField, value: string): string | null {
  if (field === 'subjectIds') return null
  if (field === 'level') return value === '' ? 'required' : null
  return field === 'color' ? coverColorProblem(value) : entryNameProblem(value)
}

const namesIn = (values: EntryValues) =>
  inEachLanguage((language) => values[`names.${language}`].trim())

/** What entries of this list have besides their names. */
const othersIn = (list: ListName, { color, subjectIds }: EntryValues) => ({
  ...(list === 'covers' && { color }),
  ...(list === 'classes' && { subjectIds: parted(subjectIds).map(Number) }),
})

async function addEntry(list: ListName, values: EntryValues): Promise<void> {
  const level = list === 'classes' && { level: values.level as Level }
  const body = { names: namesIn(values), ...level, ...othersIn(list, values) }
  loader.show(await ask(office.addEntry, { params: { list }, body }))
}

/** Loads the current revision of an entry; default values if it was deleted. */
async function readEntry(list: ListName, id: number) {
  const lists = await readLists()
  loader.show(lists)
  const entry = lists[list].entries.find((each) => each.id === id)
  return { revision: entry?.revision ?? 0, values: valuesOf(entry) }
}

async function saveEntry(
  list: ListName,
  id: number,
  { revision, values }: { revision: number; values: EntryValues },
): Promise<number> {
  const body = { revision, names: namesIn(values), ...othersIn(list, values) }
  const lists = await ask(office.changeEntry, { params: { list, id }, body })
  loader.show(lists)
  return lists[list].entries.find((each) => each.id === id)?.revision ?? revision
}

async function retireEntry(
  list: ListName,
  { id, revision }: office.Entry,
  isRetired: boolean,
): Promise<void> {
  const body = { revision, isRetired }
  loader.show(await ask(office.retireEntry, { params: { list, id }, body }))
}

async function saveOrder(list: ListName, revision: number, ids: readonly number[]): Promise<void> {
  const body = { revision, ids: [...ids] }
  loader.show(await ask(office.orderList, { params: { list }, body }))
}

const { island, useTexts } = adminTexts(
  'office-catalogue:lists',
  'office-catalogue:names',
  'office-catalogue:fields',
  'office-catalogue:mistakes',
  'office-catalogue:order',
  'office-site:conflict',
  'office-site:history',
  'catalogue:levels',
  'office:form',
  'office:confirm',
)

function useLabels(): (field: string) => string {
  const texts = useTexts('office-catalogue:fields')
  return (field) => {
    const [name, language] = field.split('.')
    if (name === 'names' && isLocale(language)) return LANGUAGE_NAMES[language]
    if (field === 'isRetired') return texts.retired
    if (field === 'lines') return texts.order
    if (name === 'subjects' || field === 'subjectIds') return texts.subjects
    return field === 'level' ? texts.level : texts.color
  }
}

const OUTLINES = ['button', 'line', 'line', 'line', 'line', 'line'] as const

function Lists() {
  const texts = useTexts('office-catalogue:lists')
  const names = useTexts('office-catalogue:names')
  const lists = useStore($lists, { ssr: notLoaded })
  const [list, setList] = useState<ListName>(LISTS[0])
  useEffect(() => {
    setList(listInAddress())
    loadLists()
  }, [])
  const showList = (next: ListName) => {
    setList(next)
    history.replaceState(history.state, '', `?list=${next}`)
  }
  return (
    <div className="lists stack gap-5">
      <p className="soft">{texts.lead}</p>
      <Tabs
        label={texts.choose}
        tabs={LISTS.map((value) => ({ value, text: names[value] }))}
        chosen={list}
        onChoose={showList}
      />
      <LoadState
        state={lists}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={loadLists}
      >
        {(value) => <ListPanel key={list} name={list} list={value[list]} />}
      </LoadState>
    </div>
  )
}

function ListPanel({ name, list }: { name: ListName; list: List }) {
  const locale = useLocale()
  const texts = useTexts('office-catalogue:lists')
  const order = useTexts('office-catalogue:order')
  const levels = useTexts('catalogue:levels')
  const label = useLabels()
  const [unsavedOrder, setUnsavedOrder] = useState<readonly number[] | null>(null)
  const entries = ordered(list.entries, unsavedOrder)
  const ids = entries.map(({ id }) => id)
  const nameOf = (entry: Entry) => entry.names[locale] || `#${entry.id}`
  const groups =
    name === 'classes'
      ? LEVELS.toReversed().map((level) => ({
          heading: levels[level].name,
          rows: entries.filter((entry) => entry.level === level),
        }))
      : [{ heading: '', rows: entries }]
  return (
    <>
      {name === 'kinds' && <p className="soft">{texts.kinds}</p>}
      <NewEntry name={name} />
      {entries.length === 0 && <EmptyState text={texts.empty} />}
      {groups.map(({ heading, rows }) => (
        <section key={heading}>
          {heading && <h2 className="lists__heading">{heading}</h2>}
          <ol className="lists__entries">
            {rows.map((entry, at) => (
              <EntryRow
                key={entry.id}
                list={name}
                entry={entry}
                isFirst={at === 0}
                isLast={at === rows.length - 1}
                onMove={(by) => {
                  const group = rows.map(({ id }) => id)
                  setUnsavedOrder(moved(ids, entry.id, by, group))
                }}
              />
            ))}
          </ol>
        </section>
      ))}
      {unsavedOrder && (
        <SaveOrder
          texts={order}
          mine={entries.map(nameOf)}
          theirs={list.entries.map(nameOf)}
          onSave={async () => {
            await saveOrder(name, list.revision, ids)
            setUnsavedOrder(null)
          }}
          onConflict={refreshLists}
          onDrop={() => setUnsavedOrder(null)}
        />
      )}
      <section>
        <h2 className="lists__heading">{texts.orders}</h2>
        <History subject={`list ${name}`} revision={list.revision} label={label} />
      </section>
    </>
  )
}

/** The entries in the unsaved order; entries missing from it come last. */
function ordered(
  entries: readonly Entry[],
  unsavedOrder: readonly number[] | null,
): readonly Entry[] {
  if (!unsavedOrder) return entries
  const place = ({ id }: Entry) =>
    unsavedOrder.includes(id) ? unsavedOrder.indexOf(id) : unsavedOrder.length
  return entries.toSorted((a, b) => place(a) - place(b))
}

interface EntryRowProps {
  list: ListName
  entry: Entry
  isFirst: boolean
  isLast: boolean
  onMove: (by: -1 | 1) => void
}

function EntryRow({ list, entry, ...place }: EntryRowProps) {
  const locale = useLocale()
  const texts = useTexts('office-catalogue:lists')
  const label = useLabels()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { names, documents, published, isRetired } = entry
  const name = names[locale] || `#${entry.id}`
  const others = LOCALES.filter((each) => each !== locale && names[each] !== '')
  const usage =
    documents === 0
      ? texts.unused
      : `${pluralText(locale, texts.counts, 'documents', documents)} · ${fillText(texts.forSale, { count: published })}`
  return (
    <li className={isRetired ? 'lists__entry lists__entry--retired' : 'lists__entry'}>
      <div className="lists__row row gap-3">
        <MoveButtons name={name} {...place} />
        {list === 'covers' && (
          <MiniCover
            className="lists__cover rigid"
            cover={coverNote({ coverPath: entry.picture, coverMapping: { color: entry.color } })}
          />
        )}
        <div className="lists__names">
          <strong dir="auto">{name}</strong>
          {isRetired && <span className="badge badge--quiet">{texts.retired}</span>}
          <span className="soft small">
            {others.map((each, at) => (
              <Fragment key={each}>
                {at > 0 && ' · '}
                <bdi lang={each}>{names[each]}</bdi>
              </Fragment>
            ))}
          </span>
          <span className="soft small">{usage}</span>
        </div>
        <Button
          kind="plain"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={fillText(isOpen ? texts.closeEntry : texts.editEntry, { name })}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? texts.close : texts.edit}
        </Button>
      </div>
      <div id={id} hidden={!isOpen} className="lists__panel stack">
        {isOpen && (
          <>
            <EntryForm list={list} entry={entry} />
            <Standing list={list} entry={entry} />
            <History
              subject={`${ENTRY_KINDS[list]} ${entry.id}`}
              revision={entry.revision}
              label={label}
            />
          </>
        )}
      </div>
    </li>
  )
}

function EntryForm({ list, entry }: { list: ListName; entry: Entry }) {
  const texts = useTexts('office:form')
  const sentence = useMistakes()
  const label = useLabels()
  const { id, revision } = entry
  const keepAs = `${list} ${id}`
  const fields = fieldsOf(list, false)
  const [initial] = useState(() => valuesOf(entry))
  const form = useRevisedForm<EntryField>({
    fields,
    initial,
    keepAs,
    revision,
    check: (values) => entryMistakes(fields, values),
    save: (base, values) => saveEntry(list, id, { revision: base, values: values as EntryValues }),
    read: () => readEntry(list, id),
    sentence,
    label,
    textOf: useValueText(),
    conflictTexts: useTexts('office-site:conflict'),
  })
  const { formProps, values } = form
  return (
    <>
      {form.notices}
      <form {...formProps} className="stack">
        <EntryFields fields={fields} fieldOf={form.fieldOf} values={values} />
        <SaveFoot form={form} submit={texts.submit} />
      </form>
    </>
  )
}

type FieldState = { name: string; defaultValue: string | undefined; error: string | undefined }

interface EntryFieldsProps {
  fields: readonly EntryField[]
  fieldOf: (field: EntryField) => FieldState
  values: Readonly<EntryValues>
}

/** The subjects that a class can have: those not retired, and those that it has. */
function useSubjects(own = ''): { value: string; text: string }[] {
  const locale = useLocale()
  const lists = useStore($lists, { ssr: notLoaded })
  const all = lists.phase === 'ready' ? lists.value.subjects.entries : []
  return all
    .filter(({ id, isRetired }) => !isRetired || parted(own).includes(String(id)))
    .map(({ id, names }) => ({ value: String(id), text: names[locale] }))
}

function useValueText(): (field: EntryField, value: string) => string {
  const texts = useTexts('office-catalogue:fields')
  const lists = useStore($lists, { ssr: notLoaded })
  const locale = useLocale()
  return (field, value) => {
    if (field !== 'subjectIds') return value
    const all = lists.phase === 'ready' ? lists.value.subjects.entries : []
    const chosen = all.filter(({ id }) => parted(value).includes(String(id)))
    return chosen.map(({ names }) => names[locale]).join(' · ') || texts.allSubjects
  }
}

function EntryFields({ fields, fieldOf, values }: EntryFieldsProps) {
  const texts = useTexts('office-catalogue:fields')
  const levels = useTexts('catalogue:levels')
  const label = useLabels()
  const subjects = useSubjects(fieldOf('subjectIds').defaultValue)
  return (
    <div className="lists__fields tiles">
      {fields.map((field) => {
        const [, language] = field.split('.')
        if (field === 'level') {
          const options = LEVELS.toReversed().map((value) => ({ value, text: levels[value].name }))
          return (
            <SelectField
              key={field}
              {...fieldOf(field)}
              label={label(field)}
              options={[{ value: '', text: texts.chooseLevel }, ...options]}
            />
          )
        }
        if (field === 'subjectIds') {
          return (
            <Choices
              key={field}
              {...fieldOf(field)}
              legend={label(field)}
              hint={texts.subjectsHint}
              most={ENTRIES_MAX}
              value={values.subjectIds}
              options={subjects}
            />
          )
        }
        return (
          <Field
            key={field}
            {...fieldOf(field)}
            label={label(field)}
            autoComplete="off"
            {...(field === 'color' && { type: 'color' })}
            {...(isLocale(language) && { lang: language, dir: dirOf(language) })}
          />
        )
      })}
    </div>
  )
}

function useMistakes(): (field: string, mistake: string) => string {
  const texts = useTexts('office-catalogue:mistakes')
  return (_, mistake) => {
    if (mistake === 'required') return texts.required
    if (mistake === 'maxLength') return fillText(texts.long, { most: ENTRY_NAME_MAX_LENGTH })
    return texts.wrong
  }
}

/** Retires or restores an entry. Needs no confirmation, because the change can be reversed. */
function Standing({ list, entry }: { list: ListName; entry: Entry }) {
  const texts = useTexts('office-catalogue:lists')
  const { alert, attempt, isBusy } = useAction()
  const { isRetired } = entry
  const change = () =>
    attempt(
      () => retireEntry(list, entry, !isRetired),
      // Another administrator was faster: reload the entry, and show who changed it.
      ({ done }) => done && refreshLists().catch(() => {}),
    )
  return (
    <div className="lists__standing cluster gap-5 lines-3">
      {alert}
      <p role="status">{isRetired ? texts.isRetired : texts.isOffered}</p>
      <Button isBusy={isBusy} onClick={change}>
        {isRetired ? texts.offer : texts.retire}
      </Button>
    </div>
  )
}

function NewEntry({ name }: { name: ListName }) {
  const texts = useTexts('office-catalogue:lists')
  const add = useTexts('office-catalogue:names').add
  const [isOpen, setOpen] = useState(false)
  const { message, say } = useAction()
  return (
    <div className="stack">
      {message}
      {isOpen ? (
        <NewForm
          name={name}
          onDone={() => {
            say(texts.added)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      ) : (
        <p>
          <Button
            kind="primary"
            onClick={() => {
              say('')
              setOpen(true)
            }}
          >
            {add[name]}
          </Button>
        </p>
      )}
    </div>
  )
}

interface FormProps {
  name: ListName
  onDone: () => void
  onClose: () => void
}

function NewForm({ name, onDone, onClose }: FormProps) {
  const texts = useTexts('office-catalogue:lists')
  const add = useTexts('office-catalogue:names').add
  const sentence = useMistakes()
  const fields = fieldsOf(name, true)
  const [initial] = useState(() => valuesOf())
  const form = useOfficeForm<EntryField>({
    fields,
    initial,
    keepAs: `new ${name}`,
    check: (values) => entryMistakes(fields, values),
    save: async (values) => {
      await addEntry(name, values)
      onDone()
    },
    sentence,
  })
  const { saveState, formProps, values } = form
  return (
    <form {...formProps} className="lists__new stack">
      <h2 className="lists__heading">{add[name]}</h2>
      {form.notices}
      <EntryFields fields={fields} fieldOf={form.fieldOf} values={values} />
      <div className="save-foot cluster split gap-5 lines-1">
        {saveState.state.phase === 'failed' && <SaveState {...saveState} onRetry={form.retry} />}
        <Button onClick={onClose}>{texts.close}</Button>
        <Button type="submit" kind="primary" isBusy={saveState.state.phase === 'saving'}>
          {texts.add}
        </Button>
      </div>
    </form>
  )
}

export default island(Lists)
