import '../catalogue/lists.css'
import { useState } from 'react'
import * as office from '../../../contract/office-calendar.ts'
import { type ListedClass, listClasses } from '../../../contract/references.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { labelled, listed } from '../../../i18n/listed.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Field } from '../../../islands/parts/Field.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import {
  CALENDAR_DAYS_MAX,
  CALENDAR_KINDS,
  CALENDAR_MAX,
  CALENDAR_SOURCE_MAX_LENGTH,
  type CalendarEntry,
  mistakesInDates,
} from '../../../rules/calendar.ts'
import { ENTRIES_MAX } from '../../../rules/catalogue-lists.ts'
import { nameIn } from '../../../rules/catalogue-names.ts'
import { TRIMESTERS, type Trimester } from '../../../rules/papers.ts'
import { joined, parted } from '../../../stores/shared/form.ts'
import { useKindTexts, useOwnKinds } from '../../documents/kinds.ts'
import { ask as call, orReload } from '../../kit/backend.ts'

import { Choices } from '../../kit/forms/Choices.tsx'
import { SelectField } from '../../kit/forms/fields.tsx'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { SaveState } from '../../kit/forms/SaveState.tsx'
import { useOfficeForm } from '../../kit/forms/use-office-form.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { resourceBy } from '../../kit/loader.ts'
import { adminTexts } from '../../kit/office-texts.ts'
import { Words } from '../../kit/tables/cells.tsx'
import { actsColumn, TableSection } from '../../kit/tables/ShortTable.tsx'
import { History } from '../site/History.tsx'

interface Shown {
  readonly calendar: office.Calendar
  readonly classes: readonly ListedClass[]
}

async function readAll(): Promise<Shown> {
  const [calendar, classes] = await Promise.all([
    call(office.getCalendar, {}),
    call(listClasses, {}),
  ])
  return { calendar, classes }
}
const shown = resourceBy('calendar', readAll)

/** Saves the calendar with other entries, and shows it; a conflict shows what the others have saved. */
async function save(
  { calendar: { revision }, classes }: Shown,
  entries: readonly office.SavedEntry[],
): Promise<void> {
  const body = { revision, entries: [...entries] }
  const saved = call(office.saveCalendar, { body })
  shown.show({ classes, calendar: await orReload(saved, () => void shown.refresh()) })
}

const { island, useTexts } = adminTexts(
  'office-calendar:page',
  'office-documents:details',
  'office-site:history',
  'catalogue:niveaux',
  'office:confirm',
  'office:form',
)

const OUTLINES = ['button', 'line', 'line', 'line'] as const

function CalendarPage() {
  const texts = useTexts('office-calendar:page')
  return (
    <div className="stack gap-5">
      <p className="soft measure">{texts.lead}</p>
      <LoadedStore from={shown} texts={texts} shapes={OUTLINES}>
        {(value) => <Dates shown={value} />}
      </LoadedStore>
    </div>
  )
}

function useNames() {
  const locale = useLocale()
  const details = useKindTexts(useTexts('office-documents:details'))
  const classNames = useTexts('catalogue:niveaux')
  const trimester = (value: Trimester) => details[`trimester_${value}`] ?? value
  const kind = (value: string) => details[`paperKind_${value}`] ?? value
  return {
    trimester,
    kind,
    classe: (entry: ListedClass) => nameIn(locale, entry, classNames),
    entry: (entry: Pick<CalendarEntry, 'kind' | 'trimester'>) =>
      listed(locale, [kind(entry.kind), ...(entry.trimester ? [trimester(entry.trimester)] : [])]),
  }
}

/** How many classes a row names; the form has them all. */
const CLASSES_NAMED = 3

function Dates({ shown }: { shown: Shown }) {
  const locale = useLocale()
  const texts = useTexts('office-calendar:page')
  const names = useNames()
  const { ask, dialog, message, say } = useQuestions()
  const [edited, setEdited] = useState<CalendarEntry | 'new' | null>(null)
  const { entries, revision } = shown.calendar
  const classesOf = ({ classes }: CalendarEntry) => {
    const named = shown.classes.filter(({ code }) => classes.includes(code ?? '')).map(names.classe)
    if (named.length === 0) return texts.allClasses
    const rest = named.length - CLASSES_NAMED
    const first = listed(locale, named.slice(0, CLASSES_NAMED))
    return rest > 0 ? `${first} ${isolate(`+${rest}`)}` : first
  }
  const daysOf = ({ from, to }: CalendarEntry) =>
    fillText(texts.range, { from: formatDate(locale, from), to: formatDate(locale, to) })
  const remove = (entry: CalendarEntry) =>
    ask({
      title: fillText(texts.removeTitle, { name: isolate(names.entry(entry)) }),
      text: daysOf(entry),
      submit: texts.remove,
      isDanger: true,
      send: async () => {
        await save(
          shown,
          entries.filter(({ id }) => id !== entry.id),
        )
        return texts.removed
      },
    })
  return (
    <>
      {message}
      {edited ? (
        <div className="lists">
          <EntryForm
            key={edited === 'new' ? 'new' : edited.id}
            shown={shown}
            entry={edited === 'new' ? null : edited}
            onDone={(text) => {
              say(text)
              setEdited(null)
            }}
          />
        </div>
      ) : (
        <p>
          <Button
            kind="primary"
            disabled={entries.length >= CALENDAR_MAX}
            onClick={() => {
              say('')
              setEdited('new')
            }}
          >
            {texts.add}
          </Button>
        </p>
      )}
      <TableSection<CalendarEntry>
        label={texts.dates}
        none={texts.none}
        rows={entries.toReversed()}
        columns={[
          { head: texts.head.what, cell: names.entry },
          { head: texts.head.days, cell: daysOf, isWide: true },
          { head: texts.head.classes, cell: classesOf, isWide: true },
          { head: texts.head.source, cell: ({ source }) => <Words>{source}</Words>, isWide: true },
          actsColumn(texts.head.actions, (entry) => {
            const name = `${names.entry(entry)} ${daysOf(entry)}`
            const edit = () => {
              say('')
              setEdited(entry)
            }
            return [
              { text: texts.change, label: labelled(locale, texts.change, name), act: edit },
              {
                text: texts.remove,
                label: labelled(locale, texts.remove, name),
                act: () => remove(entry),
              },
            ]
          }),
        ]}
      />
      <History subject="calendar" revision={revision} label={() => texts.entry} />
      {dialog}
    </>
  )
}

const FIELDS = ['kind', 'trimester', 'from', 'to', 'source', 'classes'] as const
type FieldName = (typeof FIELDS)[number]
type Values = Record<FieldName, string>

interface FormProps {
  shown: Shown
  /** null: a new one. */
  entry: CalendarEntry | null
  onDone: (text: string) => void
}

function EntryForm({ shown, entry, onDone }: FormProps) {
  const texts = useTexts('office-calendar:page')
  const form = useTexts('office:form')
  const names = useNames()
  const ownKinds = useOwnKinds()
  const [initial] = useState<Values>(() => ({
    kind: entry?.kind ?? CALENDAR_KINDS[0],
    trimester: entry?.trimester ?? '',
    from: entry?.from ?? '',
    to: entry?.to ?? '',
    source: entry?.source ?? '',
    classes: joined(entry?.classes ?? []),
  }))
  const mistakes: Readonly<Record<string, string>> = {
    ...texts.mistakes,
    max: fillText(texts.mistakes.max, { most: CALENDAR_DAYS_MAX }),
  }
  const { fieldOf, formProps, notices, retry, saveState, values } = useOfficeForm<FieldName>({
    fields: FIELDS,
    initial,
    keepAs: `calendar ${entry?.id ?? 'new'}`,
    check: mistakesInDates,
    save: async ({ kind, trimester, from, to, source, classes }) => {
      const saved: office.SavedEntry = {
        id: entry?.id ?? null,
        kind,
        trimester: TRIMESTERS.find((one) => one === trimester) ?? null,
        from,
        to,
        source: source.trim(),
        classes: [...parted(classes)],
      }
      const others = shown.calendar.entries.filter(({ id }) => id !== entry?.id)
      await save(shown, [...others, saved])
      onDone(texts.saved)
    },
    sentence: (_, mistake) => mistakes[mistake] ?? texts.mistakes.invalid,
  })
  const kinds = [
    ...CALENDAR_KINDS,
    ...ownKinds.flatMap(({ code, retired }) =>
      code && (!retired || code === entry?.kind) ? code : [],
    ),
  ]
  const choices = shown.classes.flatMap((classe) => {
    const code = classe.code ?? ''
    const isOffered = classe.retired !== 'unused' || entry?.classes.includes(code)
    return code && isOffered ? [{ value: code, text: names.classe(classe) }] : []
  })
  return (
    <form {...formProps} className="lists__new stack">
      <h2 className="lists__heading">{entry ? names.entry(entry) : texts.add}</h2>
      {notices}
      <div className="lists__fields tiles">
        <SelectField
          {...fieldOf('kind')}
          label={texts.head.what}
          options={kinds.map((value) => ({ value, text: names.kind(value) }))}
        />
        <SelectField
          {...fieldOf('trimester')}
          label={texts.trimester}
          options={[
            { value: '', text: texts.noTrimester },
            ...TRIMESTERS.map((value) => ({ value, text: names.trimester(value) })),
          ]}
        />
        <Field {...fieldOf('from')} type="date" label={texts.from} />
        <Field {...fieldOf('to')} type="date" label={texts.to} />
        <Field
          {...fieldOf('source')}
          label={texts.head.source}
          hint={texts.sourceHint}
          maxLength={CALENDAR_SOURCE_MAX_LENGTH}
          dir="auto"
          autoComplete="off"
        />
        <Choices
          {...fieldOf('classes')}
          legend={texts.head.classes}
          hint={texts.classesHint}
          most={ENTRIES_MAX}
          value={values.classes}
          options={choices}
        />
      </div>
      <div className="save-foot cluster split gap-5 lines-1">
        {saveState.state.phase === 'failed' && <SaveState {...saveState} onRetry={retry} />}
        <Button onClick={() => onDone('')}>{texts.close}</Button>
        <Button type="submit" kind="primary" isBusy={saveState.state.phase === 'saving'}>
          {form.submit}
        </Button>
      </div>
    </form>
  )
}

export default island(CalendarPage)
